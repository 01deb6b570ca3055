// A file descriptor that closes itself.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace warpbook::device {

class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~UniqueFd() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void reset() { UniqueFd().swap(*this); }
  int release() { return std::exchange(fd_, -1); }

 private:
  void swap(UniqueFd& other) noexcept { std::swap(fd_, other.fd_); }
  int fd_ = -1;
};

/// Another descriptor of the same open file; invalid where `fd` is, or where there are no more to
/// be had.
inline UniqueFd duplicate(const UniqueFd& fd) {
  return UniqueFd(fd ? ::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0) : -1);
}

}  // namespace warpbook::device
