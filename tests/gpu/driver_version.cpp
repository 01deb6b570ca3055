#include "tests/gpu/driver_version.hpp"

#include <algorithm>

#include "device/characters.hpp"

namespace warpbook::tests {
namespace {

/// "580.95.05", and neither "x86_64" nor "12".
bool is_driver_version(std::string_view word) {
  return word.find('.') != word.npos && device::is_digit(word.front()) &&
         device::is_digit(word.back()) && word.find("..") == word.npos &&
         std::ranges::all_of(word, [](char c) { return device::is_digit(c) || c == '.'; });
}

}  // namespace

std::string driver_version_in(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n";
  while (true) {
    const std::size_t begin = text.find_first_not_of(kSpace);
    if (begin == text.npos) return {};
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(kSpace));
    if (is_driver_version(word)) return std::string(word);
    text.remove_prefix(word.size());
  }
}

std::string driver_version_of(std::string_view file) {
  constexpr std::string_view kBefore = ".so.";
  const std::size_t at = file.rfind(kBefore);
  if (at == file.npos) return {};
  const std::string_view version = file.substr(at + kBefore.size());
  // "libcuda.so.1" is a link, and tells nothing.
  return !version.empty() && is_driver_version(version) ? std::string(version) : std::string();
}

}  // namespace warpbook::tests
