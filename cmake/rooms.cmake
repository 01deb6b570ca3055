# One target per room. Sources are collected, so that adding a file edits no CMake. A room inside a room can be a target of
# its own, TARGET; the room around it is then built WITHOUT it.
#
# What a kernel and its estimate run through is compiled for speed, and so are the sums of its counters and what reads PTX: an object
# library of its own, in the room device. All else computes next to nothing itself, and a third of the time to compile it would be spent
# on speed that nobody sees.
#
# A file named *_avx2.cpp is compiled for AVX2, FMA and F16C; nothing in it may run before the processor was asked.
function(warpbook_room name)
  cmake_parse_arguments(ROOM "" "TARGET" "WITHOUT;LINK;SOURCES" ${ARGN})
  # Links are followed, because a course's own chapters and exercises are links into its folder (`warpbook course link`).
  file(GLOB_RECURSE sources FOLLOW_SYMLINKS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${name}/*.cpp)
  list(APPEND sources ${ROOM_SOURCES})
  foreach(without ${ROOM_WITHOUT})
    list(FILTER sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/${without}/")
  endforeach()
  set(target warpbook_${name})
  if(ROOM_TARGET)
    set(target ${ROOM_TARGET})
  endif()
  if(NOT sources)
    return()
  endif()
  if(name STREQUAL "device")
    set(simulator ${sources})
    list(FILTER simulator INCLUDE REGEX "/device/(simulator/[a-z]+/|launch_record\\.cpp$)")
    list(FILTER simulator EXCLUDE REGEX
         "/(cubin/[a-z_]+|barrier_check|child_records|deadlock|device_runtime|externals|findings|loaded_module|recalled_launch)\\.cpp$")
    list(REMOVE_ITEM sources ${simulator})
    add_library(warpbook_simulator OBJECT ${simulator})
    warpbook_room_target(warpbook_simulator ${ROOM_LINK})
    warpbook_compile(warpbook_simulator -O3 "")
    warpbook_simulator_options(${simulator})
    # What a kernel runs through stands by itself: together the compiler inlines fewer of its small functions, and it runs up to a quarter
    # slower.
    set(hot ${simulator})
    list(FILTER hot INCLUDE REGEX "/simulator/(execute|observe|run|state|texture)/")
    warpbook_together(warpbook_simulator WITHOUT ${hot})
    add_library(warpbook_device STATIC ${sources} $<TARGET_OBJECTS:warpbook_simulator>)
    warpbook_room_target(warpbook_device ${ROOM_LINK})
    warpbook_compile(warpbook_device -Og "")
    warpbook_together(warpbook_device)
  elseif(name STREQUAL "cli")
    add_executable(warpbook ${sources})
    set_target_properties(warpbook PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
    warpbook_room_target(warpbook ${ROOM_LINK})
    warpbook_compile(warpbook -Og warpbook_training)
    warpbook_together(warpbook)
  else()
    add_library(${target} STATIC ${sources})
    warpbook_room_target(${target} ${ROOM_LINK})
    if(name STREQUAL "lab")
      warpbook_compile(${target} -Og warpbook_device)
    elseif(name STREQUAL "training")
      # Above lab, nearly every file reads what a report holds, with all exhibits.
      warpbook_compile(${target} -Og "" ${PROJECT_SOURCE_DIR}/lab/report/report.hpp)
    else()
      warpbook_compile(${target} -Og warpbook_training)
    endif()
    warpbook_together(${target})
  endif()
endfunction()

function(warpbook_room_target target)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(${target} PUBLIC ${ARGN} PRIVATE warpbook_warnings)
endfunction()

function(warpbook_simulator_options)
  foreach(source ${ARGN})
    set(options "")
    if(source MATCHES "_avx2\\.cpp$")
      list(APPEND options -mavx2 -mfma -mf16c -mbmi -mbmi2)
    endif()
    if(source MATCHES "/execute/handlers/")
      # Nobody looks at errno or at the host's exception flags there, and both would keep loops from being vectors. A
      # register's row is read as whatever type the instruction has.
      list(APPEND options -fno-math-errno -fno-trapping-math -fno-strict-aliasing)
    endif()
    if(source MATCHES "_sse2\\.cpp$")
      # For processors of before 2013, which have no AVX2, it is enough that it runs: the loops are not worth their compiling.
      list(APPEND options $<$<CONFIG:Release>:-Og>)
    endif()
    if(options)
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${options}" SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()

# In a release, `level` is what the target is optimised to. What nearly every file includes is read once for all targets of
# one level, the first of which is their `owner` ("" for itself; what else it precompiles follows). Each file still includes
# what it uses. In such a header GCC 12 takes the library's own lines for ours and warns of them, so three warnings are off;
# with sanitizers, they would be more.
function(warpbook_compile target level owner)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
  if(WARPBOOK_SANITIZE)
    return()
  endif()
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <atomic> <charconv> <chrono> <cmath>
                              <condition_variable> <filesystem> <fstream> <functional> <map> <memory> <mutex> <numeric>
                              <optional> <random> <ranges> <set> <span> <sstream> <string> <string_view> <thread>
                              <unordered_map> <variant> <vector> <fmt/format.h> <tl/expected.hpp>
                              ${PROJECT_SOURCE_DIR}/device/device.hpp ${ARGN})
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # ccache has to see in what was preprocessed that the header was used.
    target_compile_options(${target} PRIVATE -fpch-preprocess -Wno-array-bounds -Wno-stringop-overflow
                           -Wno-maybe-uninitialized)
    # No file needs a gigabyte: GCC need not look for what it could throw away.
    target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=1000000)
  endif()
endfunction()

# The programs and libraries that a target runs or loads are there once it is linked. Its own compiling does not wait for them, as it
# would with add_dependencies.
function(warpbook_runs target)
  foreach(other ${ARGN})
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:${other}>)
  endforeach()
endfunction()

# The tests of one room: tests/<name>/**/*.cpp in one executable, each TEST_CASE one test of ctest. A test without a tag
# has the labels quick and ci; [ci] takes it out of quick, [long] gives it the label long alone. The tests of a room inside a
# room, FOLDER, are an executable of their own where that room is a target of its own; the others are built WITHOUT them.
function(warpbook_tests name)
  cmake_parse_arguments(TESTS "" "FOLDER;WITHOUT" "LINK;SOURCES" ${ARGN})
  set(folder ${name})
  if(TESTS_FOLDER)
    set(folder ${TESTS_FOLDER})
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*.cpp)
  if(TESTS_WITHOUT)
    list(FILTER sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/tests/${TESTS_WITHOUT}/")
  endif()
  list(TRANSFORM TESTS_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/tests/)
  list(APPEND sources ${TESTS_SOURCES})
  if(NOT sources)
    return()
  endif()
  set(target test_${name})
  # What tests say is said once, and most of a test's compiling is Catch2's words: not worth a thought of the optimiser. The models
  # that hold the simulator to what is right count for themselves.
  set(models ${sources})
  list(FILTER models INCLUDE REGEX "/(reference/|truth)[^/]*\\.cpp$")
  list(FILTER models EXCLUDE REGEX "_test\\.cpp$")
  if(models)
    list(REMOVE_ITEM sources ${models})
    add_library(${target}_models OBJECT ${models})
    warpbook_compile(${target}_models -Og warpbook_device)
    warpbook_together(${target}_models)
  endif()
  add_executable(${target} ${sources})
  warpbook_compile(${target} -O0 warpbook_test_main)
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0>)
  warpbook_together(${target})
  foreach(part ${target} ${target}_models)
    if(TARGET ${part})
      target_include_directories(${part} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
      target_link_libraries(${part} PRIVATE ${TESTS_LINK} Catch2::Catch2 warpbook_warnings)
    endif()
  endforeach()
  target_link_libraries(${target} PRIVATE warpbook_test_main)
  if(models)
    target_link_libraries(${target} PRIVATE ${target}_models)
  endif()
  if(TESTS_LINK MATCHES "warpbook_")
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/main/worker_or_tests.cpp)
  endif()
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

# Each file pays for the templates that it shares with the others: sixteen files compiled as one take less than half the time of as many by
# themselves. cmake/unity_batches.py writes the sources that include them, in a way that lets each file keep its unnamed namespaces for
# itself: a name there has to be unique in its file alone. The batches are made when CMake runs; where a build says after a change that a
# name is there twice, cmake makes them anew.
#
# This is for builds that compile everything at once: ./warpbook sets WARPBOOK_UNITY for its own build, because a newcomer waits for
# that one, and so do the presets with sanitizers. Whoever works on a file builds without, so that a change compiles that file
# alone and a missing #include shows; tests/long/plain_build does so with all files.
function(warpbook_together target)
  if(NOT WARPBOOK_UNITY)
    return()
  endif()
  cmake_parse_arguments(TOGETHER "" "" "WITHOUT" ${ARGN})
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(REMOVE_ITEM sources ${TOGETHER_WITHOUT})
  set(folder ${PROJECT_BINARY_DIR}/together/${target})
  execute_process(COMMAND python3 ${PROJECT_SOURCE_DIR}/cmake/unity_batches.py 32 ${folder} ${sources}
                  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE lines OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" lines "${lines}")
  foreach(line ${lines})
    string(REGEX MATCH "^([0-9]+) (.+)$" line "${line}")
    set_source_files_properties(${CMAKE_MATCH_2} PROPERTIES HEADER_FILE_ONLY ON)
    list(APPEND together ${folder}/batch_${CMAKE_MATCH_1}.cpp)
  endforeach()
  list(REMOVE_DUPLICATES together)
  target_sources(${target} PRIVATE ${together})
endfunction()
