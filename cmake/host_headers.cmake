# Writes generated/host_header_files.cpp: the files of device/compiler/host_headers/ as texts, by their paths in there.
set(folder ${PROJECT_SOURCE_DIR}/device/compiler/host_headers)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${folder}/*)
list(SORT headers)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
set(host_header_rows "")
foreach(header ${headers})
  file(RELATIVE_PATH name ${folder} ${header})
  file(READ ${header} text)
  string(APPEND host_header_rows "    {\"${name}\", R\"header(${text})header\"},\n")
endforeach()
set(warpbook_host_header_files ${PROJECT_BINARY_DIR}/generated/host_header_files.cpp)
file(CONFIGURE OUTPUT ${warpbook_host_header_files} CONTENT
[=[#include "device/compiler/host_headers.hpp"

namespace warpbook::device {
namespace {

constexpr HostHeaderFile kHostHeaderFiles[] = {
@host_header_rows@};

}  // namespace

std::span<const HostHeaderFile> host_header_files() { return kHostHeaderFiles; }

}  // namespace warpbook::device
]=] @ONLY)
