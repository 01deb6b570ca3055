// Failures that a caller handles: a code, its arguments, and English made from the two. lab translates by code.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "device/wire/fields.hpp"

namespace warpbook::device {

/// Every way in which device/ fails. The text of each, with its {arguments} and its remedy, is in error.cpp; the same
/// keys, as error.<name>, stand in lang/zh.toml. Values are stable: they are written into reports.
enum class ErrorCode : std::uint16_t {
#define WARPBOOK_ERROR(name, english) name,
#include "device/error_table.inc"
#undef WARPBOOK_ERROR
};

constexpr auto enum_names(ErrorCode) {
  constexpr auto all = std::to_array<std::string_view>({
#define WARPBOOK_ERROR(name, english) #name,
#include "device/error_table.inc"
#undef WARPBOOK_ERROR
  });
  return all;
}
/// "out_of_bounds_write", ...
std::string_view name_of(ErrorCode code);
/// The English sentence with {name} for each argument; it says what, where and the remedy.
std::string_view english_of(ErrorCode code);
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

struct Error {
  ErrorCode code{};
  std::vector<std::pair<std::string, std::string>> arguments;  ///< by name, in no particular order
  SourcePlace place;

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
tl::unexpected<Error> failure(ErrorCode code,
                              std::vector<std::pair<std::string, std::string>> arguments = {},
                              SourcePlace place = {});

/// Puts `arguments` into the {names} of `pattern`; a name without an argument stays as it is.
std::string fill(std::string_view pattern,
                 const std::vector<std::pair<std::string, std::string>>& arguments);

}  // namespace warpbook::device
