// Places in the source: .file, .loc and the strings of .debug_str (PTX ISA 9.0, 11.5). No file is
// ever opened.
#include <charconv>

#include <fmt/format.h>

#include "device/simulator/ptx/parser.hpp"

namespace warpbook::device::ptx {
namespace {

std::uint64_t hash_of(const Location& location) {
  std::uint64_t hash = 0;
  for (const std::uint64_t part :
       {location.file, location.line, location.column, location.inlined_at}) {
    hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

/// A number, not an expression: the numbers of .loc are separated by blanks alone, so that "1 -2"
/// could be one.
std::uint32_t Parser::plain_number(std::string_view what) {
  const char* begin = scanner_.text().data() + scanner_.offset();
  std::uint32_t value = 0;
  const auto [end, error] =
      std::from_chars(begin, scanner_.text().data() + scanner_.text().size(), value);
  if (error != std::errc{} || is_word_character(*end)) {
    scanner_.fail_expected(what_message(what));
    return 0;
  }
  scanner_.take(static_cast<std::size_t>(end - begin));
  return value;
}

std::uint32_t Parser::file_index(std::uint32_t number) {
  const auto [entry, added] =
      file_by_number_.try_emplace(number, static_cast<std::uint32_t>(module_.files.size()));
  if (added) {
    module_.files.emplace_back();
  }
  return entry->second;
}

void Parser::file() {
  const std::uint32_t number = plain_number("the-number-of-a-file");
  const std::string_view name = scanner_.quoted("the-name-of-the-file");
  const std::uint32_t place = scanner_.offset();
  if (scanner_.accept(',')) {
    needs(place, "time-and-size-in-file");
    read_integer(scanner_, "the-time-of-a-file");
    scanner_.expect(',', "between-the-time-and-the-size-of-a-file");
    read_integer(scanner_, "the-size-of-a-file");
  }
  if (!scanner_.failed()) {
    module_.files[file_index(number)] = std::string(name);
  }
}

std::uint32_t Parser::add_location(const Location& location) {
  const auto [entry, added] = location_by_hash_.try_emplace(
      hash_of(location), static_cast<std::uint32_t>(module_.locations.size()));
  if (!added) {
    const Location& known = module_.locations[entry->second];
    if (known.file == location.file && known.line == location.line &&
        known.column == location.column && known.inlined_at == location.inlined_at) {
      return entry->second;
    }
    entry->second = static_cast<std::uint32_t>(module_.locations.size());
  }
  module_.locations.push_back(location);
  return static_cast<std::uint32_t>(module_.locations.size() - 1);
}

void Parser::location() {
  const auto place = [&] {
    Location result;
    result.file = file_index(plain_number("the-number-of-a-file"));
    result.line = plain_number("a-line");
    result.column = plain_number("a-column");
    return result;
  };
  Location result = place();
  std::string_view label;
  std::uint64_t addend = 0;
  while (scanner_.accept(',')) {
    const std::string_view word = scanner_.expect_name("function-name-or-inlined-at");
    if (word == "function_name") {
      label =
          scanner_.peek() == '.' ? scanner_.dotted() : scanner_.expect_name("a-label-of-debug-str");
      if (scanner_.accept('+')) {
        addend = plain_number("an-offset");
      }
    } else if (word == "inlined_at") {
      needs(place_of(word), "inlined-at-in-loc");
      const Location call = place();
      // The call's own place was given by an earlier .loc; the latest one of that line and column
      // is meant.
      const std::uint64_t key = hash_of(call);
      const auto known = latest_location_.find(key);
      result.inlined_at = known != latest_location_.end() ? known->second : add_location(call);
    } else if (!scanner_.failed()) {
      scanner_.fail_at(place_of(word),
                       syntax("expected", {{"what", what_message("function-name-or-inlined-at")},
                                           {"found", std::string(word)}}));
    }
  }
  if (scanner_.failed()) {
    return;
  }
  const std::size_t before = module_.locations.size();
  location_ = add_location(result);
  if (!label.empty() && module_.locations.size() > before) {
    inlined_names_.push_back({location_, label, addend});
  }
  Location plain = result;
  plain.inlined_at = kNone;
  latest_location_[hash_of(plain)] = location_;
}

void Parser::section() {
  const std::string_view name =
      scanner_.peek() == '"' ? scanner_.quoted("the-name-of-a-section") : scanner_.dotted();
  scanner_.expect('{', "after-the-name-of-a-section");
  const bool strings = name == "debug_str" || name == ".debug_str";
  if (strings) {
    debug_labels_.try_emplace("debug_str", 0);
  }
  bool bytes_follow = false;
  while (!scanner_.at_end() && scanner_.peek() != '}') {
    const char c = scanner_.peek();
    if (c == '{') {
      scanner_.fail_expected(expectation("section-data", {{"sign", "'}'"}}));
    } else if (!strings) {
      scanner_.skip_token();
    } else if (c == '.') {
      bytes_follow = scanner_.dotted() == "b8";
    } else if (bytes_follow && (is_digit(c) || c == '-')) {
      debug_strings_ += static_cast<char>(read_integer(scanner_, "a-byte-of-a-section").bits);
    } else if (const std::string_view label = scanner_.name(); !label.empty()) {
      if (scanner_.accept(':')) {
        debug_labels_[label] = debug_strings_.size();
      }
    } else {
      scanner_.skip_token();
    }
  }
  if (!scanner_.accept('}')) {
    scanner_.fail_expected(
        expectation("section-end", {{"sign", "'}'"}, {"name", std::string(name)}}));
  }
}

void Parser::name_inlined_functions() {
  module_.debug_strings = std::make_unique<const std::string>(std::move(debug_strings_));
  const std::string_view strings = *module_.debug_strings;
  for (const InlinedName& inlined : inlined_names_) {
    const auto label = debug_labels_.find(inlined.label);
    if (label == debug_labels_.end() || label->second > strings.size() ||
        inlined.addend >= strings.size() - label->second) {
      continue;  // a name that is not there is no reason to refuse the program
    }
    const std::string_view rest = strings.substr(label->second + inlined.addend);
    module_.locations[inlined.location].function = rest.substr(0, rest.find('\0'));
  }
  for (Location& location : module_.locations) {
    location.file = module_.files[location.file].empty() ? kNone : location.file;
  }
}

}  // namespace warpbook::device::ptx
