#include "device/error.hpp"

#include <algorithm>

namespace warpbook::device {

std::string_view name_of(ErrorCode code) {
  return kEnumNames<ErrorCode>.at(static_cast<std::size_t>(code));
}

std::vector<ErrorCode> all_error_codes() {
  std::vector<ErrorCode> codes(kEnumNames<ErrorCode>.size());
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<ErrorCode>(i);
  return codes;
}

std::string led_by_place(const SourcePlace& place, const std::string& sentence) {
  std::string text;
  if (!place.file.empty()) text += place.file + ":";
  if (place.line != 0) text += std::to_string(place.line) + ":";
  if (place.line != 0 && place.column != 0) text += std::to_string(place.column) + ":";
  if (!text.empty()) text += " ";
  text += sentence;
  // Arguments may hold line ends that a student wrote.
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text;
}

Message Error::message() const {
  return {"error." + std::string(name_of(code)) + ".long", arguments, {}};
}

std::string Error::english() const { return led_by_place(place, message().english()); }

tl::unexpected<Error> failure(ErrorCode code, MessageArguments arguments, SourcePlace place) {
  return tl::unexpected(Error{code, std::move(arguments), std::move(place)});
}

}  // namespace warpbook::device
