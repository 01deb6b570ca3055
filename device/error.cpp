#include "device/error.hpp"

#include <algorithm>
#include <array>

namespace warpbook::device {
namespace {

struct ErrorRow {
  std::string_view name;
  std::string_view english;
};

// Indexed by the code: the enumerators come from the same table in the same order.
constexpr std::array kErrors{
#define WARPBOOK_ERROR(name, english) ErrorRow{#name, english},
#include "device/error_table.inc"
#undef WARPBOOK_ERROR
};

const ErrorRow& row_of(ErrorCode code) { return kErrors.at(static_cast<std::size_t>(code)); }

// Arguments may hold what a student wrote; a message is one line all the same.
void keep_to_one_line(std::string& text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
}

}  // namespace

std::string_view name_of(ErrorCode code) { return row_of(code).name; }

std::string_view english_of(ErrorCode code) { return row_of(code).english; }

std::vector<ErrorCode> all_error_codes() {
  std::vector<ErrorCode> codes(kErrors.size());
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<ErrorCode>(i);
  return codes;
}

std::string fill(std::string_view pattern,
                 const std::vector<std::pair<std::string, std::string>>& arguments) {
  std::string filled;
  filled.reserve(pattern.size() + 64);
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    filled += pattern.substr(0, open);
    if (open == std::string_view::npos) break;
    pattern.remove_prefix(open);
    const std::size_t close = pattern.find_first_of("{}", 1);
    if (close == std::string_view::npos || pattern[close] == '{') {
      filled += pattern.substr(0, close);
      pattern.remove_prefix(std::min(close, pattern.size()));
      continue;
    }
    const std::string_view name = pattern.substr(1, close - 1);
    const auto argument =
        std::find_if(arguments.begin(), arguments.end(),
                     [name](const auto& candidate) { return candidate.first == name; });
    filled += argument == arguments.end() ? pattern.substr(0, close + 1)
                                          : std::string_view(argument->second);
    pattern.remove_prefix(close + 1);
  }
  return filled;
}

std::string Error::english() const {
  std::string text;
  if (!place.file.empty()) text += place.file + ":";
  if (place.line != 0) text += std::to_string(place.line) + ":";
  if (place.line != 0 && place.column != 0) text += std::to_string(place.column) + ":";
  if (!text.empty()) text += " ";
  text += fill(english_of(code), arguments);
  keep_to_one_line(text);
  return text;
}

tl::unexpected<Error> failure(ErrorCode code,
                              std::vector<std::pair<std::string, std::string>> arguments,
                              SourcePlace place) {
  return tl::unexpected(Error{code, std::move(arguments), std::move(place)});
}

}  // namespace warpbook::device
