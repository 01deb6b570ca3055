#include "gui/book/folder.hpp"

#include <algorithm>
#include <cctype>
#include <system_error>

namespace warpbook::gui {
namespace {
namespace fs = std::filesystem;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_named_as(FileSort sort, const fs::path& file) {
  const std::string ending = lower(file.extension().string());
  if (sort == FileSort::program) return ending == ".cu";
  return ending == ".png" || ending == ".jpg" || ending == ".jpeg";
}
}  // namespace

Folder read_folder(const fs::path& path, FileSort sort, std::size_t most) {
  Folder folder;
  folder.path = path;
  std::error_code failed;
  fs::directory_iterator at(path, failed);
  for (; !failed && at != fs::directory_iterator(); at.increment(failed)) {
    Folder::Entry entry{at->path().filename().string()};
    if (entry.name.starts_with('.')) continue;
    std::error_code unknown;  // of this entry alone: a broken link, say
    entry.folder = at->is_directory(unknown);
    if (!entry.folder) {
      if (!is_named_as(sort, at->path()) || !at->is_regular_file(unknown)) continue;
      entry.bytes = at->file_size(unknown);
      if (unknown) continue;
    }
    folder.entries.push_back(std::move(entry));
  }
  if (failed) folder.problem = failed.message();
  std::ranges::sort(folder.entries, [](const Folder::Entry& a, const Folder::Entry& b) {
    if (a.folder != b.folder) return a.folder;
    const std::string left = lower(a.name), right = lower(b.name);
    return left != right ? left < right : a.name < b.name;
  });
  folder.cut = folder.entries.size() > most;
  if (folder.cut) folder.entries.resize(most);
  return folder;
}

fs::path nearest_folder(const fs::path& file) {
  fs::path folder = file;
  std::error_code unknown;
  while (!fs::is_directory(folder, unknown) && folder.has_relative_path())
    folder = folder.parent_path();
  return folder.empty() ? fs::path("/") : folder;
}

}  // namespace warpbook::gui
