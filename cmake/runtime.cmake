# What stands for other people's programs, or is loaded into them, is never instrumented: it runs with no sanitizer's library
# and, in its box, with less memory than a sanitizer reserves.
function(warpbook_without_sanitizers target)
  if(WARPBOOK_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-sanitize=all)
    target_link_options(${target} PRIVATE -fno-sanitize=all)
  endif()
endfunction()

# Warpbook's own CUDA runtime and driver, libcudart.so.13, which `warpbook program` links programs with. Its functions are compiled against
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
target_compile_options(warpbook_cudart PRIVATE -fvisibility=hidden -fvisibility-inlines-hidden)
warpbook_compile(warpbook_cudart -Og "")
# What CUDA declares with arguments is defined without them where we have nothing for it, so not beside CUDA's declarations.
set(absent ${sources})
list(FILTER absent INCLUDE REGEX "/absent\\.cpp$")
warpbook_together(warpbook_cudart WITHOUT ${absent})
# A program sees CUDA's names, under the version that NVIDIA's library gives them, and nothing of ours.
target_link_options(warpbook_cudart PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/device/runtime/library/exports.map
                    -Wl,--exclude-libs,ALL -Wl,-soname,libcudart.so.13 -Wl,-z,defs)
set_target_properties(warpbook_cudart PROPERTIES OUTPUT_NAME cudart SUFFIX .so.13 NO_SONAME ON
                      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/runtime)
# The driver's functions are in the same library. Who asks for libcuda.so.1 finds it under that name, and the loader sees that both
# are one file.
add_custom_command(TARGET warpbook_cudart POST_BUILD
                   COMMAND ${CMAKE_COMMAND} -E create_symlink libcudart.so.13 ${PROJECT_BINARY_DIR}/runtime/libcuda.so.1)
warpbook_without_sanitizers(warpbook_cudart)
# All that whole programs are linked with.
add_custom_target(warpbook_runtime ALL DEPENDS warpbook_cudart)

# Drop-in libraries whose kernels are ours, and are compiled now: a program may not be able to, in its box.
find_file(WARPBOOK_NVRTC libnvrtc.so.13
          PATHS $ENV{WARPBOOK_CUDA} ${WARPBOOK_DEPS}/cuda/nvidia/cu13 $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda /usr/local/cuda-13 /opt/cuda
          PATH_SUFFIXES lib lib64 nvidia/cu13/lib targets/x86_64-linux/lib NO_DEFAULT_PATH)
if(NOT WARPBOOK_NVRTC)
  message(STATUS "NVRTC is not here, so cuBLAS and its like are left out of whole programs; ./warpbook fetch cuda gets it")
  return()
endif()
set(libraries ${PROJECT_SOURCE_DIR}/device/runtime/libraries)
add_executable(compile_kernels ${libraries}/compile_kernels.cpp)
target_link_libraries(compile_kernels PRIVATE ${CMAKE_DL_LIBS} warpbook_warnings)
warpbook_without_sanitizers(compile_kernels)

# device/runtime/libraries/<name>/ as lib<name>.so.<version>, with the versions of symbols that NVIDIA's library has.
function(warpbook_drop_in name version)
  set(folder ${libraries}/${name})
  set(kernels ${PROJECT_BINARY_DIR}/generated/${name}_kernels.cpp)
  file(GLOB kernel_files CONFIGURE_DEPENDS ${folder}/*.cu ${folder}/*arguments.hpp)
  add_custom_command(OUTPUT ${kernels}
                     COMMAND compile_kernels ${WARPBOOK_NVRTC} ${PROJECT_SOURCE_DIR} ${folder}/kernels.cu ${kernels}
                     DEPENDS compile_kernels ${kernel_files} VERBATIM)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  set(exports ${PROJECT_BINARY_DIR}/generated/${name}.map)
  file(CONFIGURE OUTPUT ${exports} CONTENT "lib${name}.so.${version} { global: ${name}*; local: *; };\n")
  set(target warpbook_drop_in_${name})
  add_library(${target} SHARED ${sources} ${libraries}/kernels.cpp ${kernels})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_include_directories(${target} SYSTEM PRIVATE ${WARPBOOK_CUDA_INCLUDE})
  target_link_libraries(${target} PRIVATE warpbook_cudart warpbook_warnings)
  target_compile_options(${target} PRIVATE -fvisibility=hidden -fvisibility-inlines-hidden $<$<CONFIG:Release>:-O2>)
  target_link_options(${target} PRIVATE -Wl,--version-script=${exports} -Wl,--exclude-libs,ALL -Wl,-soname,lib${name}.so.${version} -Wl,-z,defs)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} SUFFIX .so.${version} NO_SONAME ON
                        BUILD_RPATH_USE_ORIGIN ON LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/runtime)
  warpbook_without_sanitizers(${target})
  add_dependencies(warpbook_runtime ${target})
endfunction()

warpbook_drop_in(cublas 13)
warpbook_drop_in(curand 10)
warpbook_drop_in(cufft 12)
warpbook_drop_in(cudnn 9)
