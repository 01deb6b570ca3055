# What stands for other people's programs, or is loaded into them, is never instrumented: it runs with no sanitizer's library
# and, in its box, with less memory than a sanitizer reserves.
function(warpbook_without_sanitizers target)
  if(WARPBOOK_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-sanitize=all)
    target_link_options(${target} PRIVATE -fno-sanitize=all)
  endif()
endfunction()

# Warpbook's own CUDA runtime, libcudart.so.13, which `warpbook program` links programs with. Its functions are compiled against
# CUDA's own declarations; ./warpbook has fetched those, or the machine's toolkit has them.
find_path(WARPBOOK_CUDA_INCLUDE cuda_runtime_api.h
          PATHS $ENV{WARPBOOK_CUDA} ${WARPBOOK_DEPS}/cuda/nvidia/cu13 $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda /usr/local/cuda-13 /opt/cuda
          PATH_SUFFIXES include nvidia/cu13/include targets/x86_64-linux/include NO_DEFAULT_PATH)
if(NOT WARPBOOK_CUDA_INCLUDE)
  message(STATUS "CUDA's headers are not here, so `warpbook program` is left out; ./warpbook fetch cuda gets them")
  return()
endif()

file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/device/runtime/library/*.cpp)
foreach(file error message types runtime/call_log runtime/cuda_error worker/channel)
  list(APPEND sources ${PROJECT_SOURCE_DIR}/device/${file}.cpp)
endforeach()
add_library(warpbook_cudart SHARED ${sources})
target_include_directories(warpbook_cudart PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_include_directories(warpbook_cudart SYSTEM PRIVATE ${WARPBOOK_CUDA_INCLUDE})
target_link_libraries(warpbook_cudart PRIVATE fmt::fmt-header-only tl::expected Threads::Threads warpbook_warnings)
target_compile_options(warpbook_cudart PRIVATE -fvisibility=hidden -fvisibility-inlines-hidden $<$<CONFIG:Release>:-O2>)
# A program sees CUDA's names, under the version that NVIDIA's library gives them, and nothing of ours.
target_link_options(warpbook_cudart PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/device/runtime/library/exports.map
                    -Wl,--exclude-libs,ALL -Wl,-soname,libcudart.so.13 -Wl,-z,defs)
set_target_properties(warpbook_cudart PROPERTIES OUTPUT_NAME cudart SUFFIX .so.13 NO_SONAME ON
                      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/runtime)
warpbook_without_sanitizers(warpbook_cudart)
