#include "device/platform.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "device/replace_file.hpp"
#include "device/unique_fd.hpp"

namespace warpbook::device {
namespace {

namespace fs = std::filesystem;

// XDG says that relative values are to be ignored; an empty one counts as unset.
fs::path absolute_from_environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || value[0] != '/') return {};
  return value;
}

fs::path home_folder() {
  const fs::path home = absolute_from_environment("HOME");
  return home.empty() ? fs::path("/tmp") : home;
}

/// The folder in which all of the user's files lie, if one is named; else empty.
fs::path named_home() {
  const char* value = std::getenv("WARPBOOK_HOME");
  return value == nullptr || value[0] == '\0' ? fs::path() : fs::absolute(value);
}

fs::path own_folder(const char* below_override, const char* xdg, const char* below_home) {
  if (const fs::path named = named_home(); !named.empty()) return named / below_override;
  const fs::path base = absolute_from_environment(xdg);
  return (base.empty() ? home_folder() / below_home : base) / "warpbook";
}

bool holds_the_rooms(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "lessons", ignored) &&
         fs::is_directory(folder / "kernels", ignored);
}

Message reason_of_errno(int number) {
  switch (number) {
    case ENOENT: return {"phrase.why.no-such-file", {}, {}};
    case EACCES: return {"phrase.why.not-permitted", {}, {}};
    case ENOSPC: return {"phrase.why.no-space", {}, {}};
    case EROFS: return {"phrase.why.read-only", {}, {}};
    default: return Message::plain(std::generic_category().message(number));
  }
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// `synced`: waits until the disk has it.
Expected<void> put_in_place(const fs::path& path, std::string_view bytes, bool synced) {
  const auto fail = [&](int number) {
    return failure(ErrorCode::file_unwritable,
                   {{"file", path.string()}, {"why", reason_of_errno(number)}});
  };
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error && !fs::is_directory(folder)) return fail(error.value());

  std::string temporary = (folder / (".tmp-" + path.filename().string() + "-XXXXXX")).string();
  const UniqueFd fd(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!fd) return fail(errno);
  // mkostemp gives 0600; a file that is being replaced keeps its mode, a new one gets the usual.
  struct stat about {};
  const mode_t mode = ::stat(path.c_str(), &about) == 0 ? about.st_mode & 07777 : 0644;
  if (!write_all(fd.get(), bytes) || ::fchmod(fd.get(), mode) != 0 ||
      (synced && ::fsync(fd.get()) != 0) || ::rename(temporary.c_str(), path.c_str()) != 0) {
    const int number = errno;
    ::unlink(temporary.c_str());
    return fail(number);
  }
  if (!synced) return {};
  // The rename itself is on the disk only once the folder is; a folder that cannot be synced is no
  // failure.
  if (const UniqueFd directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
      directory) {
    ::fsync(directory.get());
  }
  return {};
}

}  // namespace

fs::path state_folder() { return own_folder("state", "XDG_DATA_HOME", ".local/share"); }

fs::path work_folder() {
  const fs::path named = named_home();
  return named.empty() ? home_folder() / "warpbook-exercises" : named / "exercises";
}

fs::path cache_folder() { return own_folder("cache", "XDG_CACHE_HOME", ".cache"); }

fs::path executable_path() {
  std::error_code error;
  fs::path path = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : path;
}

fs::path root_folder() {
  if (const char* value = std::getenv("WARPBOOK_ROOT"); value != nullptr && value[0] != '\0') {
    return fs::absolute(value);
  }
  for (fs::path folder = executable_path().parent_path(); !folder.empty();
       folder = folder.parent_path()) {
    if (holds_the_rooms(folder)) return folder;
    if (folder == folder.root_path()) break;
  }
  std::error_code error;
  fs::path current = fs::current_path(error);
  return error ? fs::path("/") : current;
}

Expected<std::string> read_file(const fs::path& path, std::uint64_t limit) {
  const auto fail = [&](Message why) {
    return failure(ErrorCode::file_unreadable, {{"file", path.string()}, {"why", std::move(why)}});
  };
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd) return fail(reason_of_errno(errno));
  struct stat about {};
  if (::fstat(fd.get(), &about) != 0) return fail(reason_of_errno(errno));
  if (S_ISDIR(about.st_mode)) return fail(Message{"phrase.why.a-folder", {}, {}});
  if (!S_ISREG(about.st_mode)) return fail(Message{"phrase.why.irregular", {}, {}});
  std::string content;
  std::array<char, 65536> chunk;
  while (true) {
    const ssize_t got = ::read(fd.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(reason_of_errno(errno));
    if (got == 0) return content;
    content.append(chunk.data(), static_cast<std::size_t>(got));
    if (content.size() > limit) return fail({"phrase.why.larger", {{"bytes", limit}}, {}});
  }
}

Expected<void> write_file_atomically(const fs::path& path, std::string_view bytes) {
  return put_in_place(path, bytes, true);
}

Expected<void> replace_file(const fs::path& path, std::string_view bytes) {
  return put_in_place(path, bytes, false);
}

}  // namespace warpbook::device
