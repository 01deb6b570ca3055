#include "tests/architecture/source_tree.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace warpbook::architecture {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<SourceFile> source_files(const std::filesystem::path& root,
                                     const std::vector<std::string>& extensions) {
  namespace fs = std::filesystem;
  std::vector<SourceFile> files;
  const auto add = [&](const fs::directory_entry& entry) {
    const std::string extension = entry.path().extension().string();
    if (!entry.is_regular_file() || std::ranges::find(extensions, extension) == extensions.end())
      return;
    files.push_back(
        {entry.path().lexically_relative(root).generic_string(), read_text(entry.path())});
  };
  for (const fs::directory_entry& top : fs::directory_iterator(root)) {
    const std::string name = top.path().filename().string();
    if (name.starts_with('.') || name.starts_with("build")) continue;
    add(top);
    if (!top.is_directory()) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top.path()))
      add(entry);
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

std::vector<Include> includes_of(const std::string& text) {
  static const std::regex directive(R"re(^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">])re");
  std::vector<Include> includes;
  std::istringstream lines(text);
  std::string line;
  bool raw = false;  // within a raw string a line that looks like a directive is data
  for (int number = 1; std::getline(lines, line); ++number) {
    std::smatch match;
    if (!raw && line.find('#') != std::string::npos && std::regex_search(line, match, directive)) {
      includes.push_back({number, match[1] == "\"", match[2]});
    }
    if (!raw) {
      const std::size_t opened = line.find("R\"");
      raw = opened != std::string::npos && line.find(')', opened + 2) == std::string::npos;
    } else {
      raw = !std::regex_search(line, std::regex(R"re(\)[A-Za-z_]*")re"));
    }
  }
  return includes;
}

}  // namespace warpbook::architecture
