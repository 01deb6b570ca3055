#include "lab/book/watch.hpp"

#include <sys/stat.h>

#include <algorithm>

namespace warpbook::lab {

namespace fs = std::filesystem;

FolderWatch::FolderWatch(std::string root, std::vector<std::string> folders,
                         std::chrono::milliseconds interval)
    : root_(std::move(root)),
      folders_(std::move(folders)),
      interval_(interval),
      next_(std::chrono::steady_clock::now() + interval) {
  reported_ = last_ = look();
}

FolderWatch::Stamps FolderWatch::look() const {
  Stamps stamps;
  for (const std::string& folder : folders_) {
    std::error_code failed;
    fs::recursive_directory_iterator at(fs::path(root_) / folder,
                                        fs::directory_options::skip_permission_denied, failed);
    for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
      const std::string name = at->path().filename().string();
      if (name.starts_with('.') && at->is_directory(failed)) at.disable_recursion_pending();
      // Editors' own files: hidden ones, backups, locks.
      if (name.starts_with('.') || name.ends_with('~') || name.ends_with(".swp") ||
          name.starts_with('#'))
        continue;
      struct stat about {};
      if (::stat(at->path().c_str(), &about) != 0 || !S_ISREG(about.st_mode)) continue;
      const auto time = std::chrono::seconds(about.st_mtim.tv_sec) +
                        std::chrono::nanoseconds(about.st_mtim.tv_nsec);
      stamps[at->path().lexically_relative(root_).string()] = {
          fs::file_time_type(std::chrono::duration_cast<fs::file_time_type::duration>(time)),
          static_cast<std::uintmax_t>(about.st_size), about.st_ino};
    }
  }
  return stamps;
}

std::vector<std::string> FolderWatch::changes() {
  using Clock = std::chrono::steady_clock;
  const auto now = Clock::now();
  if (now < next_) return {};
  Stamps seen = look();
  // Looking at a whole book takes some milliseconds, which must not add up while nothing happens.
  // On a busy computer a look takes long without costing much, and a change must still be seen soon.
  constexpr int kRest = 200;  // times what a look takes
  constexpr Clock::duration kLongestRest = std::chrono::seconds(2);
  const Clock::duration rest = std::min(kRest * (Clock::now() - now), kLongestRest);
  const bool moving = seen != reported_;
  next_ = now + (moving ? interval_ : std::max<Clock::duration>(interval_, rest));
  std::vector<std::string> changed;
  for (const auto& [file, stamp] : seen) {
    const auto before = reported_.find(file);
    if (before != reported_.end() && before->second == stamp) continue;
    const auto last = last_.find(file);
    if (last == last_.end() || last->second != stamp)
      continue;  // still moving: wait for the next look
    reported_[file] = stamp;
    changed.push_back(file);
  }
  for (auto it = reported_.begin(); it != reported_.end();) {
    // Gone at two looks: an editor that replaces a file takes it away for a moment.
    if (!seen.contains(it->first) && !last_.contains(it->first)) {
      changed.push_back(it->first);
      it = reported_.erase(it);
    } else {
      ++it;
    }
  }
  last_ = std::move(seen);
  return changed;
}

LiveDocument::LiveDocument(std::string root, std::string slug, const std::string& language)
    : root_(std::move(root)), slug_(std::move(slug)), language_(language) {
  reload();
}

bool LiveDocument::reload() {
  auto document = load_document(root_, slug_, language_);
  if (!document) {
    error_ = document.error();
    return false;
  }
  error_.reset();
  document_ = std::make_shared<const Document>(std::move(*document));
  return true;
}

}  // namespace warpbook::lab
