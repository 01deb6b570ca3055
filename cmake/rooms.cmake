# One target a room. Sources are collected, so that adding a file edits no CMake.
#
# A file named *_avx2.cpp is compiled for AVX2, FMA and F16C; nothing in it may run before the processor was asked.
function(warpbook_room name)
  cmake_parse_arguments(ROOM "" "" "LINK;SOURCES;PRECOMPILE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${name}/*.cpp)
  list(APPEND sources ${ROOM_SOURCES})
  if(NOT sources)
    return()
  endif()
  if(name STREQUAL "cli")
    set(target warpbook)
    add_executable(${target} ${sources})
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  else()
    set(target warpbook_${name})
    add_library(${target} STATIC ${sources})
  endif()
  if(name STREQUAL "device")
    warpbook_compile_fast(${target} "${sources}" -O3)
  else()
    warpbook_compile_fast(${target} "${sources}" -O1 ${ROOM_PRECOMPILE})
  endif()
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(${target} PUBLIC ${ROOM_LINK} PRIVATE warpbook_warnings)
  foreach(source ${sources})
    set(options "")
    if(source MATCHES "_avx2\\.cpp$")
      list(APPEND options -mavx2 -mfma -mf16c -mbmi -mbmi2)
    endif()
    if(source MATCHES "/isa/handlers/")
      # Nobody looks at errno or at the host's exception flags there, and both would keep loops from being vectors. A
      # register's row is read as whatever type the instruction has.
      list(APPEND options -fno-math-errno -fno-trapping-math -fno-strict-aliasing)
    endif()
    if(options)
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${options}" SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()

# In a release, `level` is what the target is optimised to: for what computes nothing itself, which is all but the simulator, a
# third of the time to compile would be spent on speed that nobody sees. What nearly every file includes is read once: another
# quarter. (Each file still includes what it uses. In such a header GCC 12 takes the library's own lines for ours and warns of
# them, so two warnings are off; with sanitizers, they would be more.)
function(warpbook_compile_fast target sources level)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
  list(LENGTH sources count)
  if(count LESS 8 OR WARPBOOK_SANITIZE)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <chrono> <filesystem> <functional> <map> <memory>
                            <optional> <ranges> <set> <span> <string> <string_view> <unordered_map> <variant> <vector>
                            <fmt/format.h> <tl/expected.hpp> ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # ccache has to see in what was preprocessed that the header was used.
    target_compile_options(${target} PRIVATE -fpch-preprocess -Wno-array-bounds -Wno-stringop-overflow)
  endif()
endfunction()

# The tests of one room: tests/<name>/**/*.cpp in one executable, each TEST_CASE one test of ctest. A test without a tag
# has the labels quick and ci; [ci] takes it out of quick, [long] gives it the label long alone.
function(warpbook_tests name)
  cmake_parse_arguments(TESTS "" "" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  set(target test_${name})
  add_executable(${target} ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(${target} PRIVATE ${TESTS_LINK} warpbook_test_main warpbook_warnings)
  if(TESTS_LINK MATCHES "warpbook_")
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/main/worker_or_tests.cpp)
  endif()
  # What tests say is said once, and most of a test's compiling is Catch2's words: not worth a thought of the optimiser. The models
  # that hold the simulator to what is right count for themselves.
  warpbook_compile_fast(${target} "${sources}" -O0 <catch2/catch_test_macros.hpp>)
  set(models ${sources})
  list(FILTER models INCLUDE REGEX "/(reference/|truth)[^/]*\\.cpp$")
  list(FILTER models EXCLUDE REGEX "_test\\.cpp$")
  set_source_files_properties(${models} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O1> SKIP_PRECOMPILE_HEADERS ON)
  target_compile_definitions(${target} PRIVATE WARPBOOK_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                             WARPBOOK_BINARY="${PROJECT_BINARY_DIR}/warpbook")

  # The executable itself writes the file that ctest reads (tests/main/ctest_reporter.cpp).
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}_list.cmake)
  add_custom_command(TARGET ${target} POST_BUILD
                     COMMAND ${CMAKE_COMMAND} -E env WARPBOOK_TEST_PREFIX=${name} $<TARGET_FILE:${target}>
                             --list-tests --reporter ctest --out ${list}
                     BYPRODUCTS ${list} VERBATIM)
  set(include ${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake)
  file(WRITE ${include}
       "if(EXISTS [==[${list}]==])\n  include([==[${list}]==])\n"
       "else()\n  add_test(\"${name}: is built\" false)\n  set_tests_properties(\"${name}: is built\" PROPERTIES LABELS \"quick;ci;long\")\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
endfunction()
