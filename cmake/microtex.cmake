# MicroTeX sets formulae; it comes in the same source distribution as the window's libraries. Without its folder, or with
# -DWARPBOOK_FORMULAE=OFF, the window draws their text instead.
#
#   warpbook_microtex    what gui links, where it is built: the macro WARPBOOK_MICROTEX says so
option(WARPBOOK_FORMULAE "Typeset formulae (MicroTeX)" ON)
set(microtex ${WARPBOOK_DEPS}/imgui_bundle/external/imgui_microtex/MicroTeX/lib)
set(math_font ${WARPBOOK_DEPS}/imgui_bundle/bindings/imgui_bundle/assets/fonts/latex)
if(FETCHCONTENT_SOURCE_DIR_MICROTEX)
  set(microtex ${FETCHCONTENT_SOURCE_DIR_MICROTEX}/lib)
endif()
if(NOT WARPBOOK_FORMULAE OR NOT EXISTS ${microtex}/microtex.cpp OR NOT EXISTS ${math_font}/latinmodern-math.clm1)
  message(STATUS "Formulae are drawn as text: MicroTeX is not built")
  return()
endif()

# It asks for the locale en_US.UTF-8 and throws where there is none, leaves out the space at a fraction's sides, and takes a
# stroke for an operator with space round it: three files are patched.
set(patched atom/atom_frac.cpp unimath/uni_symbol.cpp utils/utils.cpp)
warpbook_patched(microtex.patch ${microtex} ${PROJECT_BINARY_DIR}/microtex/patched ${patched})
file(GLOB_RECURSE microtex_sources ${microtex}/*.cpp)
list(FILTER microtex_sources EXCLUDE REGEX "/wrapper/|/fontsense.cpp$")
foreach(file ${patched})
  list(REMOVE_ITEM microtex_sources ${microtex}/${file})
  list(APPEND microtex_sources ${PROJECT_BINARY_DIR}/microtex/patched/${file})
endforeach()
add_library(warpbook_microtex STATIC ${microtex_sources})
# What MicroTeX's own build would write: it looks for no fonts by itself.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/microtex/microtexconfig.h CONTENT
     "#define MICROTEX_VERSION_MAJOR 1\n#define MICROTEX_VERSION_MINOR 0\n#define MICROTEX_VERSION_PATCH 0\n")
target_include_directories(warpbook_microtex SYSTEM PUBLIC ${microtex} ${PROJECT_BINARY_DIR}/microtex)
target_compile_definitions(warpbook_microtex PUBLIC WARPBOOK_MICROTEX PRIVATE GLYPH_RENDER_TYPE=2)
target_compile_options(warpbook_microtex PRIVATE -w $<$<CONFIG:Release>:-O1>)
# In every build: nobody edits these files, and each by itself takes many times as long.
set_target_properties(warpbook_microtex PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 32)
# A macro that it leaves defined would fall on the next file.
set_source_files_properties(${microtex}/unimath/math_type.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

# Latin Modern Math with the measures that MicroTeX reads of it.
foreach(file latinmodern-math.otf latinmodern-math.clm1)
  configure_file(${math_font}/${file} ${PROJECT_BINARY_DIR}/fonts/${file} COPYONLY)
endforeach()
