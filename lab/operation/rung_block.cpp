#include "lab/operation/rung_block.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>

#include "device/characters.hpp"
#include "lab/operation/tolerance.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;
using device::is_identifier;
using device::trimmed;

constexpr std::string_view kKeys =
    "idea, kernel, block, grid, shared, needs, registers, spills, defines, only, atomics, "
    "tolerance, depth, zero, constant, "
    "bytes, flops, caught, let, workspace and launch";

bool read_number(std::string_view text, int& value) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc{} && end == text.data() + text.size() && value >= 0;
}

/// Takes one line after the other; a line gives why it is wrong, or nothing.
class BlockReader {
 public:
  explicit BlockReader(Rung& rung) : rung_(rung) {}

  std::optional<std::string> take(std::string_view row, std::uint32_t line) {
    const std::size_t colon = row.find(':');
    if (colon == row.npos) return "write //@ key: value";
    const std::string key(trimmed(row.substr(0, colon)));
    const std::string value(trimmed(row.substr(colon + 1)));
    if (value.empty()) return "\"" + key + "\" says nothing";
    if (key == "let") return let(value);
    if (key == "workspace") return workspace(value);
    if (key == "launch") return launch(value, line);
    if (!seen_.insert(key).second) return "\"" + key + "\" stands twice";
    if (key == "block" || key == "grid" || key == "shared") return geometry(key, value);
    if (!rung_.launches.empty() && rung_.launches.back().line != 0)
      return "\"" + key + "\" is of the whole rung; write it above the first launch";
    return once(key, value);
  }

  /// After the last line.
  std::optional<std::string> finish() {
    if (rung_.idea.empty()) return "it lacks \"idea\"";
    const bool several = !rung_.launches.empty();
    if (!several) {
      rung_.launches.push_back(all_);
      rung_.launches.back().kernel = kernel_;
    } else if (!kernel_.empty()) {
      return "it has both \"kernel\" and \"launch\"; name each launch's kernel there";
    }
    for (RungLaunch& launch : rung_.launches) {
      if (launch.block.empty()) launch.block = all_.block;
      if (launch.grid.empty()) launch.grid = all_.grid;
      if (launch.shared.empty()) launch.shared = all_.shared;
      const std::string of = several ? " for the launch of " + launch.kernel : "";
      if (launch.block.empty()) return "it lacks \"block\"" + of;
      if (launch.grid.empty()) return "it lacks \"grid\"" + of;
    }
    return std::nullopt;
  }

 private:
  std::optional<std::string> once(const std::string& key, const std::string& value) {
    if (key == "idea") {
      rung_.idea = value;
    } else if (key == "kernel") {
      kernel_ = value;
    } else if (key == "needs") {
      if (!read_number(value, rung_.needs)) return "\"needs\" is a compute capability such as 75";
    } else if (key == "registers" || key == "spills") {
      if (!read_number(value, key == "spills" ? rung_.spills : rung_.registers))
        return "\"" + key + "\" is a whole number";
    } else if (key == "defines") {
      return pairs(key, value, rung_.defines);
    } else if (key == "constant") {
      return pairs(key, value, rung_.constants);
    } else if (key == "only") {
      rung_.only = split_expressions(value);
    } else if (key == "atomics") {
      if (value != "f32") return "\"atomics\" is f32, or absent";
      rung_.float_atomics = true;
    } else if (key == "tolerance") {
      if (!parse_tolerance(value)) return "\"tolerance\" is " + tolerance_forms();
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
      return "there is no key \"" + key + "\"; the keys are " + std::string(kKeys);
    }
    return std::nullopt;
  }

  std::optional<std::string> geometry(const std::string& key, const std::string& value) {
    if (key != "shared" && split_expressions(value).size() > 3)
      return "\"" + key + "\" has more than three expressions";
    RungLaunch& launch = rung_.launches.empty() ? all_ : rung_.launches.back();
    (key == "block" ? launch.block : key == "grid" ? launch.grid : launch.shared) = value;
    return std::nullopt;
  }

  /// "NAME=VALUE, NAME=VALUE"
  static std::optional<std::string> pairs(const std::string& key, const std::string& value,
                                          std::vector<std::pair<std::string, std::string>>& to) {
    for (const std::string& pair : split_expressions(value)) {
      const std::size_t equals = pair.find('=');
      if (equals == pair.npos || equals == 0)
        return "write \"" + key + "\" as NAME=VALUE, NAME=VALUE";
      to.emplace_back(trimmed(std::string_view(pair).substr(0, equals)),
                      trimmed(std::string_view(pair).substr(equals + 1)));
    }
    return std::nullopt;
  }

  std::optional<std::string> let(std::string_view value) {
    const std::size_t equals = value.find('=');
    const std::string name(trimmed(value.substr(0, std::min(equals, value.size()))));
    if (equals == value.npos || !is_identifier(name)) return "write \"let\" as NAME = EXPRESSION";
    rung_.lets.emplace_back(name, trimmed(value.substr(equals + 1)));
    return std::nullopt;
  }

  std::optional<std::string> workspace(std::string_view value) {
    const std::size_t space = value.find(' '), bracket = value.find('[');
    Workspace workspace;
    if (space == value.npos || bracket == value.npos || bracket < space || value.back() != ']' ||
        !is_identifier(value.substr(0, space)) ||
        !device::parse_element_type(trimmed(value.substr(space, bracket - space)),
                                    workspace.type)) {
      return "write \"workspace\" as NAME TYPE[EXTENT, ...], as in partial f32[blocks]";
    }
    workspace.name = value.substr(0, space);
    workspace.shape = split_expressions(value.substr(bracket + 1, value.size() - bracket - 2));
    rung_.workspaces.push_back(std::move(workspace));
    return std::nullopt;
  }

  std::optional<std::string> launch(std::string_view value, std::uint32_t line) {
    const std::size_t bracket = value.find('(');
    if (bracket == value.npos || value.back() != ')' ||
        !is_identifier(trimmed(value.substr(0, bracket))))
      return "write \"launch\" as KERNEL(ARGUMENT, ...)";
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
