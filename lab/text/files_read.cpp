#include "lab/text/files_read.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "device/platform.hpp"

namespace warpbook::lab {
namespace {

thread_local FilesRead* notes_here = nullptr;

device::Fingerprint fingerprint_of_text(std::string_view contents) {
  return device::fingerprint_of(std::as_bytes(std::span(contents)));
}

}  // namespace

FilesRead::Scope::Scope(FilesRead* notes) : before_(std::exchange(notes_here, notes)) {}
FilesRead::Scope::~Scope() { notes_here = before_; }

FilesRead* FilesRead::current() { return notes_here; }

FilesRead::Files FilesRead::files() const {
  const std::lock_guard lock(mutex_);
  return files_;
}

void FilesRead::note(const std::filesystem::path& file, std::string_view contents) {
  if (notes_here == nullptr) return;
  const device::Fingerprint fingerprint = fingerprint_of_text(contents);
  const std::lock_guard lock(notes_here->mutex_);
  notes_here->files_[file] = fingerprint;
}

bool unchanged(const FilesRead::Files& files) {
  return std::ranges::all_of(files, [](const auto& file) {
    const auto contents = device::read_file(file.first);
    return contents && fingerprint_of_text(*contents) == file.second;
  });
}

}  // namespace warpbook::lab
