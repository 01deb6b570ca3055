# The program can say its errors in English before it has read a file: generated/device/*.inc hold the errors' codes and
# the English of lang/en/errors.toml and lang/en/phrases.toml. An edit of either is seen at the next build.
set(warpbook_english ${PROJECT_SOURCE_DIR}/lang/en/errors.toml ${PROJECT_SOURCE_DIR}/lang/en/phrases.toml)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${warpbook_english}
             ${CMAKE_CURRENT_LIST_DIR}/english.py)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/english.py
                        ${PROJECT_BINARY_DIR}/generated/device ${warpbook_english}
                COMMAND_ERROR_IS_FATAL ANY)
