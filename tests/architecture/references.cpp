#include "tests/architecture/references.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>

namespace warpbook::architecture {
namespace {

constexpr std::array<std::string_view, 11> kExtensions{
    ".cpp", ".hpp", ".inc", ".cu", ".cuh", ".md", ".cmake", ".txt", ".sh", ".json", ".toml"};

bool names_a_file(std::string_view word) {
  return std::ranges::any_of(kExtensions, [&](std::string_view extension) {
    return word.size() > extension.size() && word.ends_with(extension);
  });
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == '/' || c == '*';
}

std::vector<std::string> components(std::string_view path) {
  std::vector<std::string> parts;
  std::istringstream stream{std::string(path)};
  for (std::string part; std::getline(stream, part, '/');) parts.push_back(part);
  return parts;
}

/// "tests/ROOM/NAME.cpp": a word in capitals that stands for any name. README, LICENSE and their like are names.
bool is_placeholder(std::string_view component) {
  const std::string_view stem = component.substr(0, component.find('.'));
  const bool capitals = stem.size() > 1 && std::ranges::all_of(stem, [](char c) {
                          return (c >= 'A' && c <= 'Z') || c == '_';
                        });
  return capitals && stem != "README" && stem != "CONTRIBUTING" && stem != "LICENSE" &&
         stem != "THIRD_PARTY";
}

/// The part of a file that people read, with as many line breaks as the file has; the rest of a line is left out.
/// A string of C++ may look like a comment, and a raw string like anything.
std::string comments_of_code(const std::string& text) {
  std::string comments;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      comments += '\n';
    } else if (text.compare(i, 2, "//") == 0) {
      for (; i < text.size() && text[i] != '\n'; ++i) comments += text[i];
      comments += '\n';
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t end = std::min(text.find("*/", i), text.size());
      for (; i < end; ++i) comments += text[i];
    } else if (text.compare(i, 2, "R\"") == 0) {
      const std::string close = ")" + text.substr(i + 2, text.find('(', i) - i - 2) + "\"";
      const std::size_t end = std::min(text.find(close, i), text.size());
      comments.append(static_cast<std::size_t>(
                          std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                     text.begin() + static_cast<std::ptrdiff_t>(end), '\n')),
                      '\n');
      i = end + close.size() - 1;
    } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !is_name_character(text[i - 1])))) {
      const char quote = text[i];
      for (++i; i < text.size() && text[i] != quote && text[i] != '\n'; ++i)
        if (text[i] == '\\') ++i;
    }
  }
  return comments;
}

std::string comments_of_script(const std::string& text) {
  std::string comments;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t hash = line.find('#');
    const bool comment = hash != std::string::npos && (hash == 0 || line[hash - 1] == ' ');
    comments += (comment ? line.substr(hash) : "") + "\n";
  }
  return comments;
}

std::string read_by_people(const SourceFile& file) {
  const std::string extension = std::filesystem::path(file.path).extension().string();
  for (const std::string_view code : {".cpp", ".hpp", ".inc", ".cu", ".cuh", ".c", ".cl"})
    if (extension == code) return comments_of_code(file.text);
  for (const std::string_view text : {".md", ".toml"})
    if (extension == text) return file.text;
  return comments_of_script(file.text);
}

/// The word as a reference, where it can be one. `quoted`: it follows a backtick. A slash at the end makes it a folder, but not
/// in TOML, whose strings have other slashes.
std::optional<std::string> reference(std::string_view word, bool quoted, bool in_toml,
                                     const Paths& paths) {
  const bool folder = word.size() > 2 && word.ends_with('/') && !in_toml;
  while (word.ends_with('.') || word.ends_with('/') || word.ends_with('-')) word.remove_suffix(1);
  if (word.starts_with("./")) word.remove_prefix(2);
  if (word.empty() || word.starts_with('/') || word.starts_with('-') || word.starts_with('.') ||
      word.find("..") != std::string_view::npos) {
    return std::nullopt;
  }
  const std::vector<std::string> parts = components(word);
  if (parts.empty() || std::ranges::any_of(parts, is_placeholder)) return std::nullopt;
  // build/ holds what is generated; a first part with a dot is a host's name.
  if (parts[0] == "build" || (parts.size() > 1 && parts[0].find('.') != std::string::npos))
    return std::nullopt;
  const bool path = parts.size() > 1 && (quoted || paths.hold_at_root(parts[0]));
  const bool stem = word.ends_with(".*") && word.size() > 2;
  if (!names_a_file(word) && !path && !stem && !folder) return std::nullopt;
  return std::string(word) + (folder ? "/" : "");
}

}  // namespace

Paths::Paths(const std::vector<std::string>& files) : paths_(files) {
  for (const std::string& file : files) {
    std::string path = file;
    for (bool folder = false; !path.empty(); folder = true) {
      std::vector<std::string> forms{path};
      if (!folder) {
        const std::size_t slash = path.rfind('/'), dot = path.find('.', slash + 1);
        if (dot != std::string::npos && slash != std::string::npos)
          forms.push_back(path.substr(0, dot));
      }
      if (folder) forms.push_back(path + "/");
      for (const std::string& form : forms) {
        ends_.insert(form);
        for (std::size_t slash = form.find('/'); slash < form.size() - 1;
             slash = form.find('/', slash + 1)) {
          ends_.insert(form.substr(slash + 1));
        }
      }
      const std::size_t slash = path.rfind('/');
      path.resize(slash == std::string::npos ? 0 : slash);
    }
  }
}

bool Paths::hold(std::string_view name) const {
  if (name.find('*') == std::string_view::npos) return ends_.contains(name);
  if (name.ends_with('/')) name.remove_suffix(1);
  const std::string at_root(name), anywhere = "*/" + at_root;
  return std::ranges::any_of(paths_, [&](const std::string& path) {
    return fnmatch(at_root.c_str(), path.c_str(), 0) == 0 ||
           fnmatch(anywhere.c_str(), path.c_str(), 0) == 0;
  });
}

bool Paths::hold_at_root(std::string_view folder) const {
  const std::string start = std::string(folder) + "/";
  return std::ranges::any_of(paths_,
                             [&](const std::string& path) { return path.starts_with(start); });
}

std::vector<std::string> paths_of_tree(const std::filesystem::path& root) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  for (const fs::directory_entry& top : fs::directory_iterator(root)) {
    const std::string name = top.path().filename().string();
    if (name.starts_with("build") || name == ".git") continue;
    if (!top.is_directory()) {
      paths.push_back(name);
      continue;
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top.path()))
      if (entry.is_regular_file())
        paths.push_back(entry.path().lexically_relative(root).generic_string());
  }
  return paths;
}

std::vector<Reference> references_in(const SourceFile& file, const Paths& paths) {
  std::vector<Reference> found;
  const bool in_toml = file.path.ends_with(".toml");
  std::istringstream lines(read_by_people(file));
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    for (std::size_t begin = 0; begin < line.size(); ++begin) {
      if (!is_name_character(line[begin])) continue;
      std::size_t end = begin;
      while (end < line.size() && is_name_character(line[end])) ++end;
      const char before = begin == 0 ? ' ' : line[begin - 1];
      const char after = end == line.size() ? ' ' : line[end];
      // What follows one of these is the end of an address, of a variable or of a name with a part left open, and what stands before
      // one of those is such a name's beginning: cudnn_<operation>.cpp.
      const bool whole = std::string_view("<>$~:@{}%=").find(before) == std::string_view::npos &&
                         after != '<' && after != '$';
      if (whole) {
        const std::string_view word = std::string_view(line).substr(begin, end - begin);
        if (auto name = reference(word, before == '`', in_toml, paths))
          found.push_back({number, *name});
      }
      begin = end;
    }
  }
  return found;
}

}  // namespace warpbook::architecture
