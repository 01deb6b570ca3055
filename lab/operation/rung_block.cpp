#include "lab/operation/rung_block.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>

#include "device/characters.hpp"
#include "lab/operation/tolerance.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;
using device::is_identifier;
using device::Message;
using device::trimmed;

const std::vector<std::string>& rung_keys() {
  static const std::vector<std::string> all = {
      "idea",     "kernel",  "block", "grid",    "shared",    "needs",     "registers",
      "spills",   "defines", "only",  "atomics", "tolerance", "depth",     "zero",
      "constant", "bytes",   "flops", "caught",  "let",       "workspace", "launch"};
  return all;
}

/// phrase.rung.NAME
Message rung_phrase(std::string_view name, device::MessageArguments arguments = {}) {
  return {"phrase.rung." + std::string(name), std::move(arguments), {}};
}

bool read_number(std::string_view text, int& value) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc{} && end == text.data() + text.size() && value >= 0;
}

/// Takes the block line by line. Each call returns why its line is wrong, or nothing.
class BlockReader {
 public:
  explicit BlockReader(Rung& rung) : rung_(rung) {}

  std::optional<Message> take(std::string_view row, std::uint32_t line) {
    const std::size_t colon = row.find(':');
    if (colon == row.npos) return rung_phrase("form");
    const std::string key(trimmed(row.substr(0, colon)));
    const std::string value(trimmed(row.substr(colon + 1)));
    if (value.empty()) return rung_phrase("empty", {{"key", key}});
    if (key == "let") return let(value);
    if (key == "workspace") return workspace(value);
    if (key == "launch") return launch(value, line);
    if (!seen_.insert(key).second) return rung_phrase("twice", {{"key", key}});
    if (key == "block" || key == "grid" || key == "shared") return geometry(key, value);
    if (!rung_.launches.empty() && rung_.launches.back().line != 0)
      return rung_phrase("whole-rung", {{"key", key}});
    return once(key, value);
  }

  /// After the last line.
  std::optional<Message> finish() {
    if (rung_.idea.empty()) return rung_phrase("lacks", {{"key", "idea"}});
    const bool several = !rung_.launches.empty();
    if (!several) {
      rung_.launches.push_back(all_);
      rung_.launches.back().kernel = kernel_;
    } else if (!kernel_.empty()) {
      return rung_phrase("kernel-and-launch");
    }
    for (RungLaunch& launch : rung_.launches) {
      if (launch.block.empty()) launch.block = all_.block;
      if (launch.grid.empty()) launch.grid = all_.grid;
      if (launch.shared.empty()) launch.shared = all_.shared;
      const char* const lacking = launch.block.empty()  ? "block"
                                  : launch.grid.empty() ? "grid"
                                                        : nullptr;
      if (lacking && several)
        return rung_phrase("launch-lacks", {{"key", lacking}, {"kernel", launch.kernel}});
      if (lacking) return rung_phrase("lacks", {{"key", lacking}});
    }
    return std::nullopt;
  }

 private:
  std::optional<Message> once(const std::string& key, const std::string& value) {
    if (key == "idea") {
      rung_.idea = value;
    } else if (key == "kernel") {
      kernel_ = value;
    } else if (key == "needs") {
      if (!read_number(value, rung_.needs)) return rung_phrase("needs");
    } else if (key == "registers" || key == "spills") {
      if (!read_number(value, key == "spills" ? rung_.spills : rung_.registers))
        return rung_phrase("whole-number", {{"key", key}});
    } else if (key == "defines") {
      return pairs(key, value, rung_.defines);
    } else if (key == "constant") {
      return pairs(key, value, rung_.constants);
    } else if (key == "only") {
      rung_.only = split_expressions(value);
    } else if (key == "atomics") {
      if (value != "f32") return rung_phrase("atomics");
      rung_.float_atomics = true;
    } else if (key == "tolerance") {
      if (!parse_tolerance(value))
        return rung_phrase("tolerance", {{"expected", tolerance_forms()}});
      rung_.tolerance = value;
    } else if (key == "depth") {
      rung_.depth = value;
    } else if (key == "zero") {
      rung_.zero = split_expressions(value);
    } else if (key == "bytes") {
      rung_.bytes = value;
    } else if (key == "flops") {
      rung_.flops = value;
    } else if (key == "caught") {
      rung_.caught = value;
    } else {
      return rung_phrase("no-key", {{"key", key}, {"known", listed(rung_keys())}});
    }
    return std::nullopt;
  }

  std::optional<Message> geometry(const std::string& key, const std::string& value) {
    if (key != "shared" && split_expressions(value).size() > 3)
      return rung_phrase("expressions", {{"key", key}});
    RungLaunch& launch = rung_.launches.empty() ? all_ : rung_.launches.back();
    (key == "block" ? launch.block : key == "grid" ? launch.grid : launch.shared) = value;
    return std::nullopt;
  }

  /// "NAME=VALUE, NAME=VALUE"
  static std::optional<Message> pairs(const std::string& key, const std::string& value,
                                      std::vector<std::pair<std::string, std::string>>& to) {
    for (const std::string& pair : split_expressions(value)) {
      const std::size_t equals = pair.find('=');
      if (equals == pair.npos || equals == 0)
        return rung_phrase("write-as", {{"key", key}, {"form", "NAME=VALUE, NAME=VALUE"}});
      to.emplace_back(trimmed(std::string_view(pair).substr(0, equals)),
                      trimmed(std::string_view(pair).substr(equals + 1)));
    }
    return std::nullopt;
  }

  std::optional<Message> let(std::string_view value) {
    const std::size_t equals = value.find('=');
    const std::string name(trimmed(value.substr(0, std::min(equals, value.size()))));
    if (equals == value.npos || !is_identifier(name))
      return rung_phrase("write-as", {{"key", "let"}, {"form", "NAME = EXPRESSION"}});
    rung_.lets.emplace_back(name, trimmed(value.substr(equals + 1)));
    return std::nullopt;
  }

  std::optional<Message> workspace(std::string_view value) {
    const std::size_t space = value.find(' '), bracket = value.find('[');
    Workspace workspace;
    if (space == value.npos || bracket == value.npos || bracket < space || value.back() != ']' ||
        !is_identifier(value.substr(0, space)) ||
        !device::parse_element_type(trimmed(value.substr(space, bracket - space)),
                                    workspace.type)) {
      return rung_phrase("write-as-example", {{"key", "workspace"},
                                              {"form", "NAME TYPE[EXTENT, ...]"},
                                              {"example", "partial f32[blocks]"}});
    }
    workspace.name = value.substr(0, space);
    workspace.shape = split_expressions(value.substr(bracket + 1, value.size() - bracket - 2));
    rung_.workspaces.push_back(std::move(workspace));
    return std::nullopt;
  }

  std::optional<Message> launch(std::string_view value, std::uint32_t line) {
    const std::size_t bracket = value.find('(');
    if (bracket == value.npos || value.back() != ')' ||
        !is_identifier(trimmed(value.substr(0, bracket))))
      return rung_phrase("write-as", {{"key", "launch"}, {"form", "KERNEL(ARGUMENT, ...)"}});
    RungLaunch launch;
    launch.kernel = trimmed(value.substr(0, bracket));
    launch.arguments = split_expressions(value.substr(bracket + 1, value.size() - bracket - 2));
    launch.line = line;
    rung_.launches.push_back(std::move(launch));
    for (const char* key : {"block", "grid", "shared"}) seen_.erase(key);
    return std::nullopt;
  }

  Rung& rung_;
  RungLaunch all_;  // what stands above the first launch
  std::string kernel_;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<std::string> split_expressions(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '(' || text[i] == '[')) ++depth;
    if (i < text.size() && (text[i] == ')' || text[i] == ']')) --depth;
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
  const auto refuse = [&](Message why) {
    return device::failure(ErrorCode::bad_rung, {{"why", std::move(why)}}, {path, line, 0});
  };
  const std::size_t underscore = stem.find('_');
  if (underscore != 2 || !read_number(std::string_view(stem).substr(0, 2), rung.number) ||
      stem.size() < 4) {
    return refuse(rung_phrase("file-name", {{"file", file.filename().string()}}));
  }
  rung.name = stem.substr(3);

  BlockReader reader(rung);
  while (source.starts_with("//@")) {
    ++line;
    const std::string_view row = source.substr(3, source.find('\n') - 3);
    source.remove_prefix(std::min(source.size(), row.size() + 4));
    if (auto why = reader.take(row, line)) return refuse(std::move(*why));
  }
  line = 1;
  if (auto why = reader.finish()) return refuse(std::move(*why));
  return rung;
}

}  // namespace warpbook::lab
