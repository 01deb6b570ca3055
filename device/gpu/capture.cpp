#include "device/gpu/capture.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

namespace warpbook::device::gpu {
namespace {

constexpr std::uint64_t kMostErrors = 1u << 20;

std::uint64_t bytes_in(int file) {
  struct stat about {};
  return ::fstat(file, &about) == 0 ? static_cast<std::uint64_t>(about.st_size) : 0;
}

std::string first_bytes(int file, std::uint64_t count) {
  std::string bytes(count, '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got =
        ::pread(file, bytes.data() + have, bytes.size() - have, static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

/// Written to from its start again.
void empty(int file) {
  (void)!::ftruncate(file, 0);
  ::lseek(file, 0, SEEK_SET);
}

}  // namespace

Expected<Capture> Capture::make() {
  Capture capture;
  capture.output_ = UniqueFd(::memfd_create("output", MFD_CLOEXEC));
  capture.errors_ = UniqueFd(::memfd_create("errors", MFD_CLOEXEC));
  capture.old_output_ = UniqueFd(::dup(STDOUT_FILENO));
  capture.old_errors_ = UniqueFd(::dup(STDERR_FILENO));
  if (capture.output_ && capture.errors_ && capture.old_output_ && capture.old_errors_)
    return capture;
  return failure(ErrorCode::worker_failed, {{"why", std::generic_category().message(errno)}});
}

void Capture::begin() {
  std::fflush(stdout);
  std::fflush(stderr);
  empty(output_.get());
  empty(errors_.get());
  ::dup2(output_.get(), STDOUT_FILENO);
  ::dup2(errors_.get(), STDERR_FILENO);
}

Capture::Said Capture::end(std::uint64_t limit) {
  std::fflush(stdout);
  std::fflush(stderr);
  ::dup2(old_output_.get(), STDOUT_FILENO);
  ::dup2(old_errors_.get(), STDERR_FILENO);
  const std::uint64_t written = bytes_in(output_.get());
  Said said;
  said.cut = limit != 0 && written > limit;
  said.output = first_bytes(output_.get(), said.cut ? limit : written);
  said.errors = first_bytes(errors_.get(), std::min(bytes_in(errors_.get()), kMostErrors));
  empty(output_.get());
  empty(errors_.get());
  return said;
}

}  // namespace warpbook::device::gpu
