# What the window is drawn with, from the folders of one pinned source distribution (dependencies: THIRD_PARTY.md), which
# `./warpbook` unpacks into build/deps. FETCHCONTENT_SOURCE_DIR_<NAME> puts another checkout in a folder's place.
#
#   warpbook_window_libraries    what gui links: Dear ImGui with its GLFW and OpenGL back ends, GLFW, the editor
#   warpbook_imgui_test_engine   what gui's tests link before gui: ImGui's core again, with hooks, and the Test Engine
find_package(Freetype REQUIRED)
pkg_check_modules(EPOXY REQUIRED IMPORTED_TARGET epoxy)
pkg_check_modules(EGL REQUIRED IMPORTED_TARGET egl)
pkg_check_modules(XCB REQUIRED IMPORTED_TARGET xcb)

function(warpbook_source variable name folder)
  string(TOUPPER FETCHCONTENT_SOURCE_DIR_${name} given)
  if(${given})
    set(path ${${given}})
  else()
    set(path ${WARPBOOK_DEPS}/imgui_bundle/external/${folder})
  endif()
  if(NOT EXISTS ${path})
    message(FATAL_ERROR "The window needs ${name}, which is not at ${path}.\n"
                        "Remedy: run `./warpbook fetch window`, or configure with -D${given}=FOLDER, "
                        "or without the window: --preset headless.")
  endif()
  set(${variable} ${path} PARENT_SCOPE)
endfunction()

warpbook_source(imgui imgui imgui/imgui)
warpbook_source(glfw glfw glfw/glfw)
warpbook_source(editor imguicolortextedit ImGuiColorTextEdit/ImGuiColorTextEdit)
warpbook_source(test_engine imgui_test_engine imgui_test_engine/imgui_test_engine)
warpbook_source(roboto roboto nanovg/nanovg/example)

# warpbook_patched(PATCH FROM INTO FILE...): copies of the FILEs of the folder FROM in the folder INTO, with cmake/patches/PATCH
# applied; made anew whenever the patch or the pinned source changes.
find_program(PATCH patch REQUIRED)
function(warpbook_patched name from into)
  set(patch ${PROJECT_SOURCE_DIR}/cmake/patches/${name})
  file(SHA256 ${patch} stamp)
  foreach(file ${ARGN})
    file(SHA256 ${from}/${file} hash)
    string(APPEND stamp " ${hash}")
  endforeach()
  set(done "")
  if(EXISTS ${into}/stamp)
    file(READ ${into}/stamp done)
  endif()
  if(NOT done STREQUAL stamp)
    file(REMOVE_RECURSE ${into})
    foreach(file ${ARGN})
      get_filename_component(folder ${into}/${file} DIRECTORY)
      file(COPY ${from}/${file} DESTINATION ${folder})
    endforeach()
    execute_process(COMMAND ${PATCH} -p1 --forward --no-backup-if-mismatch -i ${patch}
                    WORKING_DIRECTORY ${into} RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(failed)
      message(FATAL_ERROR "${patch} does not fit what is in ${from}:\n${said}")
    endif()
    file(WRITE ${into}/stamp "${stamp}")
  endif()
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${patch})
endfunction()

# The editor gives every glyph one cell, so that Chinese comments overprint, sets text at the top of spaced rows, looks a
# character up one entry past the end of its tables, and completes at a place of a text that is gone.
warpbook_patched(editor.patch ${editor} ${PROJECT_BINARY_DIR}/editor TextEditor.h TextEditor.cpp TextDiff.h TextDiff.cpp dtl.h)
set(editor ${PROJECT_BINARY_DIR}/editor)

set(GLFW_BUILD_X11 ON)
set(GLFW_BUILD_WAYLAND OFF)
set(GLFW_BUILD_DOCS OFF)
set(GLFW_BUILD_EXAMPLES OFF)
set(GLFW_BUILD_TESTS OFF)
set(GLFW_INSTALL OFF)
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
add_subdirectory(${glfw} ${PROJECT_BINARY_DIR}/glfw EXCLUDE_FROM_ALL SYSTEM)

set(imgui_core ${imgui}/imgui.cpp ${imgui}/imgui_draw.cpp ${imgui}/imgui_stacklayout.cpp ${imgui}/imgui_tables.cpp
    ${imgui}/imgui_widgets.cpp)

# How ImGui is compiled and included. Every target that sees imgui.h must see it with the same definitions.
add_library(warpbook_imgui_settings INTERFACE)
target_include_directories(warpbook_imgui_settings SYSTEM INTERFACE ${imgui} ${imgui}/backends ${imgui}/misc/cpp
                           ${imgui}/misc/freetype)
target_compile_definitions(warpbook_imgui_settings INTERFACE IMGUI_ENABLE_FREETYPE IMGUI_DISABLE_OBSOLETE_FUNCTIONS
                           IMGUI_USE_WCHAR32 IMGUI_DISABLE_SSE GLFW_INCLUDE_NONE)
target_link_libraries(warpbook_imgui_settings INTERFACE Freetype::Freetype)

add_library(warpbook_window_libraries STATIC
            ${imgui_core}
            ${imgui}/misc/freetype/imgui_freetype.cpp
            ${imgui}/misc/cpp/imgui_stdlib.cpp
            ${imgui}/backends/imgui_impl_glfw.cpp
            ${imgui}/backends/imgui_impl_opengl3.cpp
            ${editor}/TextEditor.cpp
            ${editor}/TextDiff.cpp)
target_include_directories(warpbook_window_libraries SYSTEM PUBLIC ${editor})
target_compile_options(warpbook_window_libraries PRIVATE -w $<$<CONFIG:Release>:-O1>)
target_link_libraries(warpbook_window_libraries PUBLIC warpbook_imgui_settings glfw PkgConfig::EPOXY PkgConfig::EGL
                      PkgConfig::XCB ${CMAKE_DL_LIBS})

# The Test Engine needs ImGui's core compiled with hooks, which then call the engine; its licence keeps it out of what is
# shipped. So gui's tests link these objects: the linker takes them first, every name of ImGui's core is then known, and
# it never opens that core in the archive above. The rest (back ends, the editor, gui itself) is the very code
# that ships: the define adds calls to ImGui's core and changes no struct.
set(engine ${test_engine}/imgui_test_engine)
set(engine_sources ${engine}/imgui_capture_tool.cpp ${engine}/imgui_te_context.cpp ${engine}/imgui_te_coroutine.cpp
    ${engine}/imgui_te_engine.cpp ${engine}/imgui_te_exporters.cpp ${engine}/imgui_te_perftool.cpp
    ${engine}/imgui_te_ui.cpp ${engine}/imgui_te_utils.cpp)
add_library(warpbook_imgui_test_engine OBJECT EXCLUDE_FROM_ALL ${imgui_core} ${engine_sources})
target_include_directories(warpbook_imgui_test_engine SYSTEM PUBLIC ${test_engine} ${engine})
target_compile_definitions(warpbook_imgui_test_engine
                           PUBLIC IMGUI_ENABLE_TEST_ENGINE IMGUI_TEST_ENGINE_ENABLE_IMPLOT=0
                                  IMGUI_TEST_ENGINE_ENABLE_STD_FUNCTION=1
                                  IMGUI_TEST_ENGINE_ENABLE_COROUTINE_STDTHREAD_IMPL=1)
target_compile_options(warpbook_imgui_test_engine PRIVATE -w $<$<CONFIG:Release>:-O0>)
set_target_properties(warpbook_imgui_test_engine PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
set_source_files_properties(${imgui_core} PROPERTIES UNITY_GROUP core)
set_source_files_properties(${engine_sources} PROPERTIES UNITY_GROUP engine)
target_link_libraries(warpbook_imgui_test_engine PUBLIC warpbook_imgui_settings Threads::Threads)

include(cmake/microtex.cmake)

# Fonts that no Debian package has in the weights needed lie beside the binary, which finds them there.
foreach(font Roboto-Regular.ttf Roboto-Bold.ttf)
  configure_file(${roboto}/${font} ${PROJECT_BINARY_DIR}/fonts/${font} COPYONLY)
endforeach()
