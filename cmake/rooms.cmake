# A room is one folder of src/ with all its folders: an object library of every .cpp in it. It sees
# the public headers, its own headers and those of the rooms that it USES, and no others: each room
# has a door of its own in the build tree (rooms/NAME/NAME is a link to src/NAME), and only doors
# that a room names are on its include path. So a wrong dependency does not compile.
function(door_of room result)
  set(${result} ${PROJECT_BINARY_DIR}/rooms/${room} PARENT_SCOPE)
endfunction()

# Lets a target see the public headers and those of some rooms.
function(open_doors target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  foreach(room ${ARGN})
    door_of(${room} door)
    target_include_directories(${target} PRIVATE ${door})
  endforeach()
endfunction()

# add_room(NAME LIBRARY library-that-ships-it [USES rooms] [SOURCES more] [LINKS external libraries])
function(add_room name)
  cmake_parse_arguments(ROOM "" "LIBRARY" "USES;SOURCES;LINKS" ${ARGN})
  set(target softwood_${name})
  door_of(${name} door)
  file(MAKE_DIRECTORY ${door})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${door}/${name} SYMBOLIC)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(${target} OBJECT ${sources} ${ROOM_SOURCES})
  set_target_properties(${target} PROPERTIES SOFTWOOD_USES "${ROOM_USES}")
  open_doors(${target} ${name} ${ROOM_USES})
  target_compile_features(${target} PUBLIC cxx_std_20)
  # AVX2 and AVX-512, and scalar code for what is older; each further target costs build time and
  # bytes. The kernels keep vectors in arrays, which SVE cannot.
  target_compile_definitions(${target} PUBLIC
    "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3_DL|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
  list(TRANSFORM ROOM_USES PREPEND softwood_)
  target_link_libraries(${target} PUBLIC Threads::Threads fmt::fmt ${ROOM_LINKS} ${ROOM_USES}
                                  PRIVATE softwood_warnings)
  # Contracted multiply-adds would let the bits of scalar code depend on the compiler's mood.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  target_sources(${ROOM_LIBRARY} PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()

# tests/<room>/**.cpp become one executable, which sees and links what the room does, and nothing
# else; every TEST is a ctest test.
function(add_room_tests name)
  cmake_parse_arguments(TESTS "" "" "LINKS" ${ARGN})
  set(target ${name}_tests)
  get_target_property(rooms softwood_${name} SOFTWOOD_USES)
  list(APPEND rooms ${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp
                                              ${CMAKE_CURRENT_SOURCE_DIR}/*_testing.cpp)
  add_executable(${target} ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  # Where files stand that tests read: compilers may write __FILE__ as they like.
  target_compile_definitions(${target} PRIVATE
    SOFTWOOD_TESTS_FOLDER="${PROJECT_SOURCE_DIR}/tests")
  open_doors(${target} ${rooms})
  list(TRANSFORM rooms PREPEND softwood_)
  target_link_libraries(${target} PRIVATE softwood_warnings GTest::gtest GTest::gmock GTest::gtest_main
                                          rapidcheck ${TESTS_LINKS} ${rooms})
  # Reading these took half of the compiler's time for a test file.
  target_precompile_headers(${target} PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # for ccache
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 120 PROPERTIES TIMEOUT 900)
endfunction()
