# What Softwood is built with, and the Debian packages that have it. All that is missing is named at
# once: whoever builds it installs it with one line.

# Boost by its own CMake files, where CMake (3.30) has given up looking for it itself.
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)
endif()

set(missing_packages "")
macro(need name debian_package)
  find_package(${name} ${ARGN} QUIET)
  if(NOT ${name}_FOUND)
    list(APPEND missing_packages ${debian_package})
  endif()
endmacro()

find_package(Threads REQUIRED)
need(ZLIB zlib1g-dev)
need(fmt libfmt-dev)
need(nlohmann_json nlohmann-json3-dev)
need(FastFloat libfast-float-dev)
need(Boost libboost-dev 1.74)
need(hwy libhwy-dev)
need(CLI11 libcli11-dev)
need(tomlplusplus libtomlplusplus-dev)
need(Eigen3 libeigen3-dev 3.4 NO_MODULE)
# of Random123, which has no CMake package, the headers
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h)
if(NOT RANDOM123_INCLUDE_DIR)
  list(APPEND missing_packages librandom123-dev)
endif()

if(missing_packages)
  list(JOIN missing_packages " " missing_packages)
  message(FATAL_ERROR "Softwood is built with C++ packages that are not here. On Debian or Ubuntu:\n"
    "  apt-get install ${missing_packages}\n"
    "Then start again. (Elsewhere install what these hold: headers and CMake files.)")
endif()
