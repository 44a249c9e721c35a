# Debian's packages by name: ./dev setup installs them.
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(FastFloat REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(hwy REQUIRED)
