#include "lab/rung_block.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

namespace warpbook::lab {
namespace {

using device::ErrorCode;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

bool read_number(std::string_view text, int& value) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::vector<std::string> split_expressions(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')') --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    parts.emplace_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parts;
}

device::Expected<Rung> parse_rung(const std::string& path, std::string_view source) {
  const std::filesystem::path file(path);
  const std::string stem = file.stem().string();
  Rung rung;
  rung.path = path;
  rung.operation = file.parent_path().filename().string();
  std::uint32_t line = 0;
  const auto refuse = [&](std::string why) {
    return device::failure(ErrorCode::bad_rung, {{"why", std::move(why)}}, {path, line, 0});
  };
  const std::size_t underscore = stem.find('_');
  if (underscore != 2 || !read_number(std::string_view(stem).substr(0, 2), rung.number) ||
      stem.size() < 4) {
    return refuse("the file is called " + file.filename().string() +
                  "; call it NN_idea.cu, NN the rung's number");
  }
  rung.name = stem.substr(3);

  std::set<std::string> seen;
  while (source.starts_with("//@")) {
    ++line;
    std::string_view row =
        source.substr(3, source.find('\n') == source.npos ? source.npos : source.find('\n') - 3);
    source.remove_prefix(std::min(source.size(), row.size() + 4));
    const std::size_t colon = row.find(':');
    if (colon == row.npos) return refuse("write //@ key: value");
    const std::string key(trimmed(row.substr(0, colon)));
    const std::string value(trimmed(row.substr(colon + 1)));
    if (value.empty()) return refuse("\"" + key + "\" says nothing");
    if (!seen.insert(key).second) return refuse("\"" + key + "\" stands twice");
    if (key == "idea") {
      rung.idea = value;
    } else if (key == "kernel") {
      rung.kernel = value;
    } else if (key == "block" || key == "grid") {
      if (split_expressions(value).size() > 3)
        return refuse("\"" + key + "\" has more than three expressions");
      (key == "block" ? rung.block : rung.grid) = value;
    } else if (key == "shared") {
      rung.shared = value;
    } else if (key == "needs") {
      if (!read_number(value, rung.needs))
        return refuse("\"needs\" is a compute capability such as 75");
    } else if (key == "bytes") {
      rung.bytes = value;
    } else if (key == "flops") {
      rung.flops = value;
    } else if (key == "defines") {
      for (const std::string& define : split_expressions(value)) {
        const std::size_t equals = define.find('=');
        if (equals == define.npos || equals == 0)
          return refuse("write \"defines\" as NAME=VALUE, NAME=VALUE");
        rung.defines.emplace_back(trimmed(std::string_view(define).substr(0, equals)),
                                  trimmed(std::string_view(define).substr(equals + 1)));
      }
    } else {
      return refuse(
          "there is no key \"" + key +
          "\"; the keys are idea, kernel, block, grid, shared, needs, defines, bytes and flops");
    }
  }
  line = 1;
  for (const char* needed : {"idea", "block", "grid"}) {
    if (!seen.contains(needed)) return refuse(std::string("it lacks \"") + needed + "\"");
  }
  return rung;
}

}  // namespace warpbook::lab
