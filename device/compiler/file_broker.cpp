#include "device/compiler/file_broker.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "device/worker/channel.hpp"

namespace warpbook::device {
namespace {

constexpr std::array kNamesInBox{"/cuda", "/cccl"};

bool lies_in(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// A link inside an include folder may point out of it, so the path of the file that was really opened decides.
bool opened_within(int fd, const std::filesystem::path& folder) {
  std::error_code error;
  const auto real = std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", fd), error);
  return !error && lies_in(real.native(), folder.native());
}

// A memfd opened through /proc has an offset of its own, so that one precompiled header serves many
// compiles.
UniqueFd reopened(const UniqueFd& memory, int flags) {
  if (!memory) return UniqueFd();
  return UniqueFd(::open(fmt::format("/proc/self/fd/{}", memory.get()).c_str(), flags | O_CLOEXEC));
}

bool send_reply(int socket, const FileReply& reply, int fd) {
  const std::string_view bytes(reinterpret_cast<const char*>(&reply), sizeof reply);
  return send_with(socket, bytes, fd) == static_cast<ssize_t>(bytes.size());
}

}  // namespace

std::vector<std::string> names_in_box(std::size_t include_folders) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < include_folders; ++i) names.emplace_back(kNamesInBox.at(i));
  return names;
}

std::string normalised(std::string_view path) {
  std::string result;
  while (!path.empty()) {
    const std::size_t end = path.find('/');
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(end == std::string_view::npos ? path.size() : end + 1);
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      result.erase(std::min(result.rfind('/'), result.size()));
      continue;
    }
    result += '/';
    result += part;
  }
  return result.empty() ? "/" : result;
}

UniqueFd FileBroker::open(FileCall call, std::string_view path) const {
  if (call == FileCall::open_to_write) {
    // To make or to use a precompiled header NVRTC wants a temporary file, which it unlinks as soon
    // as it is open.
    if (path.starts_with("/tmp/edg") && (precompiled_ || new_precompiled_)) return make_memory({});
    return path == kNewPrecompiledInBox ? reopened(new_precompiled_, O_RDWR) : UniqueFd();
  }
  if (path == kPrecompiledInBox) return reopened(precompiled_, O_RDONLY);
  if (path == kNewPrecompiledInBox) return reopened(new_precompiled_, O_RDONLY);
  for (std::size_t i = 0; i < includes_.size(); ++i) {
    const std::string_view name = kNamesInBox.at(i);
    if (!lies_in(path, name)) continue;
    const std::string file = includes_[i].native() + std::string(path.substr(name.size()));
    // Neither a pipe nor a device may hold up or be touched.
    UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat about {};
    if (!fd || !opened_within(fd.get(), includes_[i]) || ::fstat(fd.get(), &about) != 0)
      return UniqueFd();
    const bool wanted =
        S_ISREG(about.st_mode) || (S_ISDIR(about.st_mode) && call == FileCall::stat);
    return wanted ? std::move(fd) : UniqueFd();
  }
  return UniqueFd();
}

bool FileBroker::answer(int socket) const {
  FileRequest request;
  ssize_t got = -1;
  do {
    got = ::recv(socket, &request, sizeof request, 0);
  } while (got < 0 && errno == EINTR);
  if (got <= 0) return false;
  const auto bytes = static_cast<std::size_t>(got);
  if (bytes < kFileRequestPrefix || request.path_bytes != bytes - kFileRequestPrefix) return false;

  FileReply reply;
  const std::string path = normalised(std::string_view(request.path, request.path_bytes));
  const UniqueFd fd = open(request.call, path);
  if (!fd || ::fstat(fd.get(), &reply.about) != 0) reply.result = -ENOENT;
  const bool hands_over = reply.result == 0 && request.call != FileCall::stat;
  return send_reply(socket, reply, hands_over ? fd.get() : -1);
}

}  // namespace warpbook::device
