# One target a room. Sources are collected, so that adding a file edits no CMake.
#
# A file named *_avx2.cpp is compiled for AVX2, FMA and F16C; nothing in it may run before the processor was asked.
function(warpbook_room name)
  cmake_parse_arguments(ROOM "" "" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${name}/*.cpp)
  if(name STREQUAL "cli")
    add_executable(warpbook ${sources})
    set(target warpbook)
  else()
    set(target warpbook_${name})
    add_library(${target} STATIC ${sources})
  endif()
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(${target} PUBLIC ${ROOM_LINK} PRIVATE warpbook_warnings)
  foreach(source ${sources})
    if(source MATCHES "_avx2\\.cpp$")
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-mavx2;-mfma;-mf16c;-mbmi;-mbmi2"
                                  SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()

# The tests of one room: tests/<name>/**/*_test.cpp in one executable. Tag [ci] takes a test out of the label quick,
# tag [long] out of quick and ci.
function(warpbook_tests name)
  cmake_parse_arguments(TESTS "" "" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE ${TESTS_LINK} warpbook_warnings Catch2::Catch2WithMain)
  target_compile_definitions(test_${name} PRIVATE WARPBOOK_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                             WARPBOOK_BINARY="$<TARGET_FILE:warpbook>")
  foreach(label quick ci long)
    set(spec_quick "~[ci]~[long]~[.]")
    set(spec_ci "[ci]~[long]~[.]")
    set(spec_long "[long]~[.]")
    set(labels_quick "quick;ci")
    set(labels_ci "ci")
    set(labels_long "long")
    catch_discover_tests(test_${name} TEST_SPEC "${spec_${label}}" TEST_PREFIX "${name}: " TEST_SUFFIX ""
                         PROPERTIES LABELS "${labels_${label}}" TIMEOUT 600
                         TEST_LIST test_${name}_${label} DISCOVERY_MODE PRE_TEST)
  endforeach()
endfunction()
