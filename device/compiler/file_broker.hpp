// The file broker: the parent process opens files for a boxed compile, which can open none itself. The child's open and
// stat calls trap into a handler (file_request_handler.cpp) that sends them to the parent over a socket. The answer is an open
// descriptor or "there is no such file". Paths inside the box are made up (/cuda/..., /cccl/..., /pch/...), so that nothing of
// the host is named, read, written or confirmed, and a refused file looks like one that does not exist.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/unique_fd.hpp"

namespace warpbook::device {

inline constexpr std::size_t kMostPathBytes = 4096;

enum class FileCall : std::uint32_t { open_to_read, open_to_write, stat };

/// A question of the boxed side: one packet per call.
struct FileRequest {
  FileCall call{};
  std::uint32_t path_bytes = 0;
  char path[kMostPathBytes]{};
};
inline constexpr std::size_t kFileRequestPrefix = 8;  ///< bytes before the path

struct FileReply {
  int result = 0;  ///< 0 or a negative errno; a descriptor comes along with an open's 0
  struct stat about {};
};

/// The names that include folders have inside the box, in the order of search.
std::vector<std::string> names_in_box(std::size_t include_folders);
inline constexpr const char* kPrecompiledInBox = "/pch/in";
inline constexpr const char* kNewPrecompiledInBox = "/pch/out";

/// The parent's end: the files that one compile may have.
class FileBroker {
 public:
  FileBroker() = default;
  /// The two are memfds: a precompiled header to read, one to write; either may be invalid.
  FileBroker(std::vector<std::filesystem::path> includes, UniqueFd precompiled,
             UniqueFd new_precompiled)
      : includes_(std::move(includes)),
        precompiled_(std::move(precompiled)),
        new_precompiled_(std::move(new_precompiled)) {}

  /// Answers one packet from `socket`. False: the other end hung up.
  bool answer(int socket) const;

 private:
  [[nodiscard]] UniqueFd open(FileCall call, std::string_view path) const;

  std::vector<std::filesystem::path> includes_;
  UniqueFd precompiled_, new_precompiled_;
};

/// The boxed side: from now on, trapped calls become questions over `socket`. Install it before the seccomp filter; it
/// needs only write and recvmsg on that descriptor. False: the system refused the handler.
bool install_file_request_handler(int socket);

/// "/cuda/a/../b" -> "/cuda/b"; relative paths are taken from "/"; ".." at the top stays there.
std::string normalised(std::string_view path);

}  // namespace warpbook::device
