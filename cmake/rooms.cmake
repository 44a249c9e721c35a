# A room is one folder of src/: an object library of every .cpp in it, which sees the public headers
# and src/. Its tests link the room and the rooms it depends on, and nothing else, so a wrong
# dependency does not link. The library is all the rooms together.
function(add_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;LIBRARIES" ${ARGN})
  set(target softwood_${name})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(${target} OBJECT ${sources} ${ROOM_SOURCES})
  target_include_directories(${target} PUBLIC
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(${target} PUBLIC cxx_std_20)
  # AVX2 and AVX-512, and scalar code for what is older; each further target costs build time and
  # bytes. The kernels keep vectors in arrays, which SVE cannot.
  target_compile_definitions(${target} PUBLIC
    "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3_DL|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
  target_link_libraries(${target} PUBLIC Threads::Threads fmt::fmt ${ROOM_LIBRARIES}
                                  PRIVATE softwood_warnings)
  # Contracted multiply-adds would let the bits of scalar code depend on the compiler's mood.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  target_sources(softwood PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()

# tests/<room>/*.cpp become one executable; every TEST is a ctest test.
function(add_room_tests name)
  cmake_parse_arguments(TESTS "" "" "ROOMS;LIBRARIES" ${ARGN})
  set(target ${name}_tests)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_executable(${target} ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE softwood_warnings GTest::gtest GTest::gmock GTest::gtest_main
                                          rapidcheck ${TESTS_LIBRARIES})
  foreach(room ${TESTS_ROOMS})
    target_link_libraries(${target} PRIVATE softwood_${room})
  endforeach()
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 120 PROPERTIES TIMEOUT 900)
endfunction()
