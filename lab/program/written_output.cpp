#include "lab/program/written_output.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace warpbook::lab {

device::Expected<WrittenOutput> WrittenOutput::make() {
  device::UniqueFd memory(::memfd_create("warpbook-output", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory || ::ftruncate(memory.get(), kMostBytes) != 0 ||
      ::fcntl(memory.get(), F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) != 0)
    return device::failure(device::ErrorCode::worker_failed,
                           {{"why", std::generic_category().message(errno)}});
  return WrittenOutput(std::move(memory));
}

std::string WrittenOutput::text() const {
  // The program shares our place in the file.
  const off_t written = ::lseek(memory_.get(), 0, SEEK_CUR);
  std::string bytes(written > 0 ? static_cast<std::size_t>(written) : 0, '\0');
  const ssize_t got = ::pread(memory_.get(), bytes.data(), bytes.size(), 0);
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

}  // namespace warpbook::lab
