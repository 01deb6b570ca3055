#include "lab/text/source_text.hpp"

#include <algorithm>
#include <filesystem>

#include "device/platform.hpp"
#include "lab/text/files_read.hpp"
#include "lab/text/text_layout.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kLargestSource = 1u << 20;  // bytes

}  // namespace

device::Expected<std::string> read_source_file(const std::string& root, const std::string& path) {
  const std::filesystem::path relative = std::filesystem::path(path).lexically_normal();
  if (path.empty() || relative.is_absolute() || *relative.begin() == "..") {
    return device::failure(
        device::ErrorCode::file_unreadable,
        {{"file", path}, {"why", device::Message{"phrase.why.outside", {}, {}}}});
  }
  auto text = device::read_file(std::filesystem::path(root) / relative, kLargestSource);
  if (!text) return text;
  FilesRead::note(std::filesystem::path(root) / relative, *text);
  if (!is_utf8(*text)) return device::failure(device::ErrorCode::not_utf8, {{"file", path}});
  return text;
}

std::string without_rung_block(std::string_view source) {
  bool found = false;
  while (source.starts_with("//@")) {
    source.remove_prefix(std::min(source.find('\n'), source.size() - 1) + 1);
    found = true;
  }
  while (found && (source.starts_with('\n') || source.starts_with("\r\n")))
    source.remove_prefix(source.find('\n') + 1);
  return std::string(source);
}

}  // namespace warpbook::lab
