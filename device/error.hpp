// Failures that a caller handles: a code, its arguments and its place. lab says them in the reader's language.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "device/message.hpp"
#include "device/wire/fields.hpp"

namespace warpbook::device {

/// Every way in which device/ and lab/ fail: the tables of lang/en/errors.toml, in their order, so an error is added
/// there. Numbers move when one is added; what outlives a build holds the name.
enum class ErrorCode : std::uint16_t {
#include "device/error_codes.inc"
};

constexpr auto enum_names(ErrorCode) {
  constexpr auto kAll = std::to_array<std::string_view>({
#include "device/error_names.inc"
  });
  return kAll;
}
/// "out_of_bounds_write", ...
std::string_view name_of(ErrorCode code);
/// All codes, for tests and translations.
std::vector<ErrorCode> all_error_codes();

/// A place in a source text. Lines and columns count from 1; 0: unknown.
struct SourcePlace {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};
template <class V>
void fields(V&& visit, Is<SourcePlace> auto& v) {
  visit("file", v.file);
  visit("line", v.line);
  visit("column", v.column);
}

/// "add.cu:3:7: ", and the sentence behind it, on one line whatever it quotes.
std::string led_by_place(const SourcePlace& place, const std::string& sentence);

struct Error {
  ErrorCode code{};
  MessageArguments arguments;  ///< by name, in no particular order
  SourcePlace place;

  /// Key error.<name>.long, without the place: the sentence says what, where and the remedy.
  [[nodiscard]] Message message() const;
  /// One line of English: the code's sentence with the arguments put in, led by the place where there is one.
  [[nodiscard]] std::string english() const;
  friend bool operator==(const Error&, const Error&) = default;
};
template <class V>
void fields(V&& visit, Is<Error> auto& v) {
  visit("code", v.code);
  visit("arguments", v.arguments);
  visit("place", v.place);
}

template <class T>
using Expected = tl::expected<T, Error>;

/// `return failure(ErrorCode::..., {{"name", "y"}});`
tl::unexpected<Error> failure(ErrorCode code, MessageArguments arguments = {},
                              SourcePlace place = {});

}  // namespace warpbook::device
