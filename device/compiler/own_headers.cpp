#include "device/compiler/own_headers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "device/platform.hpp"

namespace warpbook::device {
namespace {

constexpr std::size_t kMaxExpandedBytes = 16u << 20;
constexpr std::size_t kMaxIncludeDepth = 32;

/// What an #include line names, and in which brackets; an empty name for any other line.
struct Include {
  std::string_view name;
  bool quoted = false;
};

Include include_of(std::string_view line) {
  const auto skip_blanks = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  };
  skip_blanks();
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  skip_blanks();
  if (!line.starts_with("include")) return {};
  line.remove_prefix(7);
  skip_blanks();
  const bool quoted = line.starts_with('"');
  if (!quoted && !line.starts_with('<')) return {};
  line.remove_prefix(1);
  const auto end = line.find(quoted ? '"' : '>');
  return end == std::string_view::npos ? Include{} : Include{line.substr(0, end), quoted};
}

class Includer {
 public:
  explicit Includer(const std::filesystem::path& file)
      : folder_(std::filesystem::weakly_canonical(file).parent_path()) {}

  Expected<std::string> expand(const std::filesystem::path& file, std::string_view text,
                               std::size_t depth) {
    std::string result;
    const std::string shown = shown_name(file);
    std::size_t number = 0;
    while (!text.empty()) {
      const auto end = text.find('\n');
      const std::string_view line =
          text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
      text.remove_prefix(line.size());
      ++number;
      const Include include = include_of(line);
      const auto header = include.quoted ? own_header(file, include.name) : std::filesystem::path();
      if (header.empty()) {
        result += line;
        continue;
      }
      if (once_.contains(header) || depth >= kMaxIncludeDepth) {
        result += '\n';
        continue;
      }
      auto content = read_file(header, kMaxExpandedBytes);
      if (!content) return tl::unexpected(content.error());
      if (content->find("#pragma once") != std::string::npos) {
        once_.insert(header);
        const auto pragma = content->find("#pragma once");
        content->replace(pragma, 12, 12, ' ');  // in the main text it would only be warned of
      }
      auto expanded = expand(header, *content, depth + 1);
      if (!expanded) return expanded;
      result += fmt::format("#line 1 \"{}\"\n{}\n#line {} \"{}\"\n", shown_name(header), *expanded,
                            number + 1, shown);
      if (result.size() > kMaxExpandedBytes) {
        return failure(ErrorCode::ptx_limit,
                       {{"why", fmt::format("{} with its headers has more than {} bytes", shown,
                                            kMaxExpandedBytes)}});
      }
    }
    return result;
  }

 private:
  /// The header as a file of the program itself: below the folder of the .cu, links followed. Else
  /// nothing.
  [[nodiscard]] std::filesystem::path own_header(const std::filesystem::path& from,
                                                 std::string_view name) const {
    std::error_code error;
    const auto path = std::filesystem::weakly_canonical(
        std::filesystem::weakly_canonical(from, error).parent_path() / std::filesystem::path(name),
        error);
    if (error || !std::filesystem::is_regular_file(path, error)) return {};
    const auto below = std::filesystem::relative(path, folder_, error);
    if (error || below.empty() || *below.begin() == "..") return {};
    return path;
  }

  [[nodiscard]] std::string shown_name(const std::filesystem::path& file) const {
    std::string name = file.filename().string();
    std::erase_if(
        name, [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; });
    return name;
  }

  std::filesystem::path folder_;
  std::set<std::filesystem::path> once_;
};

}  // namespace

Expected<std::string> with_own_headers(const std::filesystem::path& file, std::string_view source) {
  return Includer(file).expand(file, source, 0);
}

}  // namespace warpbook::device
