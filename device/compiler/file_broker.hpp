// The only way out of the box. A boxed compile opens no file itself: its open and stat calls trap
// into a handler that asks the zygote over a socket, and what it gets back is a descriptor or
// "there is no such file". Inside, paths are made up (/cuda/..., /cccl/..., /pch/...), so nothing
// of the host is named, read, written or confirmed, and what is refused looks like what is absent.
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

inline constexpr std::size_t kDoorPathBytes = 4096;

enum class DoorCall : std::uint32_t { open_to_read, open_to_write, stat };

/// What the boxed side asks, one packet a call.
struct DoorRequest {
  DoorCall call{};
  std::uint32_t path_bytes = 0;
  char path[kDoorPathBytes]{};
};
inline constexpr std::size_t kDoorRequestPrefix = 8;  ///< bytes before the path

struct DoorReply {
  int result = 0;  ///< 0 or a negative errno; a descriptor comes along with an open's 0
  struct stat about {};
};

/// The names that include folders have inside the box, in the order of search.
std::vector<std::string> names_in_box(std::size_t include_folders);
inline constexpr const char* kPrecompiledInBox = "/pch/in";
inline constexpr const char* kNewPrecompiledInBox = "/pch/out";

/// The zygote's end: what one compile may have.
class Door {
 public:
  Door() = default;
  /// The two are memfds: a precompiled header to read, one to write; either may be invalid.
  Door(std::vector<std::filesystem::path> includes, UniqueFd precompiled, UniqueFd new_precompiled)
      : includes_(std::move(includes)),
        precompiled_(std::move(precompiled)),
        new_precompiled_(std::move(new_precompiled)) {}

  /// Answers one packet from `socket`. False: the other end hung up.
  bool answer(int socket) const;

 private:
  [[nodiscard]] UniqueFd open(DoorCall call, std::string_view path) const;

  std::vector<std::filesystem::path> includes_;
  UniqueFd precompiled_, new_precompiled_;
};

/// The boxed side: turns trapped calls into questions over `socket`. To be installed before the
/// seccomp filter is, and needs no more than write and recvmsg on that descriptor. False: the
/// system refused the handler.
bool install_door_handler(int socket);

/// "/cuda/a/../b" -> "/cuda/b"; relative paths are taken from "/"; ".." at the top stays there.
std::string normalised(std::string_view path);

}  // namespace warpbook::device
