# What has been compiled once is not compiled again, where ccache is installed.
#
# ccache may ask what a file includes, and compare that by content (depend mode), but not what the preprocessor makes of it: a
# header that changed in a comment alone gives the same text, so ccache would hand out the old precompiled header, and GCC,
# which knows a header by its content, would read the changed one a second time.
find_program(CCACHE ccache)
if(CCACHE)
  # A precompiled header is told by its content, not by what macros it might have asked for.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()
