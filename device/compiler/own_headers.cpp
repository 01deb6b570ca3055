#include "device/compiler/own_headers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "device/compiler/include_line.hpp"
#include "device/platform.hpp"

namespace warpbook::device {
namespace {

constexpr std::size_t kMaxExpandedBytes = 16u << 20;
constexpr std::size_t kMaxIncludeDepth = 32;

class Includer {
 public:
  Includer(const std::filesystem::path& file, const std::vector<std::filesystem::path>& folders)
      : folder_(std::filesystem::weakly_canonical(file).parent_path()), folders_(folders) {}

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
      const IncludeLine include = include_in(line);
      const auto header =
          include.name.empty() ? std::filesystem::path() : own_header(file, include);
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
                       {{"why", Message{"phrase.why.expanded",
                                        {{"shown", shown}, {"bytes", kMaxExpandedBytes}},
                                        {}}}});
      }
    }
    return result;
  }

 private:
  /// The header as a file of the program itself, links followed: beside the file that includes it,
  /// or in one of the folders that were named. Else nothing.
  [[nodiscard]] std::filesystem::path own_header(const std::filesystem::path& from,
                                                 const IncludeLine& include) const {
    std::error_code error;
    if (include.quoted) {
      const auto beside = std::filesystem::weakly_canonical(from, error).parent_path();
      if (auto path = header_in(beside, include.name, folder_); !path.empty()) return path;
    }
    for (const auto& folder : folders_) {
      const auto real = std::filesystem::weakly_canonical(folder, error);
      if (auto path = header_in(real, include.name, real); !path.empty()) return path;
    }
    return {};
  }

  /// `name` from `folder`, where it lies below `within`; beyond it only what is called a header or a source, so that
  /// somebody's .cu cannot have another file of the reader's quoted in a diagnostic.
  [[nodiscard]] static std::filesystem::path header_in(const std::filesystem::path& folder,
                                                       std::string_view name,
                                                       const std::filesystem::path& within) {
    std::error_code error;
    if (name.starts_with('/')) return {};
    const auto path =
        std::filesystem::weakly_canonical(folder / std::filesystem::path(name), error);
    if (error || !std::filesystem::is_regular_file(path, error)) return {};
    const auto below = std::filesystem::relative(path, within, error);
    if (error || below.empty()) return {};
    return *below.begin() != ".." || is_called_a_header(path) ? path : std::filesystem::path();
  }

  /// Or a source, which benchmarks include as well ("../../common/timer.c").
  [[nodiscard]] static bool is_called_a_header(const std::filesystem::path& path) {
    constexpr std::array kEndings{".h",   ".cuh", ".hpp", ".hh", ".hxx", ".inl",
                                  ".inc", ".cu",  ".c",   ".cc", ".cpp", ".cxx"};
    return std::ranges::find(kEndings, path.extension().string()) != kEndings.end();
  }

  [[nodiscard]] std::string shown_name(const std::filesystem::path& file) const {
    std::string name = file.filename().string();
    std::erase_if(
        name, [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; });
    return name;
  }

  std::filesystem::path folder_;
  const std::vector<std::filesystem::path>& folders_;
  std::set<std::filesystem::path> once_;
};

}  // namespace

Expected<std::string> with_own_headers(const std::filesystem::path& file, std::string_view source,
                                       const std::vector<std::filesystem::path>& folders) {
  return Includer(file, folders).expand(file, source, 0);
}

}  // namespace warpbook::device
