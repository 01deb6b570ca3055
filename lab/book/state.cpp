#include "lab/book/state.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "device/platform.hpp"
#include "device/unique_fd.hpp"

namespace warpbook::lab {

namespace fs = std::filesystem;
using device::Error;
using device::ErrorCode;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::uint64_t kLargestState = 64u << 20;  // bytes
constexpr const char* kFile = "state.json";
constexpr const char* kLock = "state.lock";

}  // namespace

struct StateStore::Disk {
  Disk(fs::path its_folder, Options its_options)
      : folder(std::move(its_folder)), options(its_options) {}

  const fs::path folder;
  const Options options;
  device::UniqueFd lock_file;

  mutable std::mutex mutex;  // guards all below
  std::condition_variable changed;
  ReaderState state;
  std::uint64_t version = 0;  // counts changes
  std::uint64_t saved = 0;    // the version on the disk
  std::uint64_t attempts = 0;
  bool now = false, closing = false;
  std::optional<Error> standing;  // never saved: another instance, a newer file
  std::optional<Error> failure;   // of the last attempt
  std::vector<Error> notices;

  std::thread saver;  // last: it uses all above

  fs::path file() const { return folder / kFile; }
  void take_lock();
  void read();
  void put_aside();
  void sweep();
  void work();
  void save(std::unique_lock<std::mutex>& lock);
};

// A folder that cannot hold a lock file cannot hold the state either: saving will say so.
void StateStore::Disk::take_lock() {
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  lock_file =
      device::UniqueFd(::open((folder / kLock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!lock_file) return;
  while (::flock(lock_file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno == EWOULDBLOCK) standing = Error{ErrorCode::state_locked, {}, {}};
    break;
  }
}

void StateStore::Disk::read() {
  std::error_code ignored;
  if (!fs::exists(file(), ignored)) return;
  const auto text = device::read_file(file(), kLargestState);
  if (!text) {
    // It is there and may be whole: what cannot be read must not be replaced.
    standing = text.error();
    return;
  }
  ReaderState partly;
  auto read = state_from_json(*text, file().string(), &partly);
  if (read) {
    state = std::move(*read);
  } else if (read.error().code == ErrorCode::state_newer) {
    state = std::move(partly);
    if (!standing) standing = read.error();
  } else if (!standing) {
    put_aside();
  }
}

void StateStore::Disk::put_aside() {
  fs::path kept = file();
  kept += ".damaged";
  std::error_code failed;
  for (int i = 2; fs::exists(kept, failed) && i < 1000; ++i) {
    kept = file();
    kept += ".damaged-" + std::to_string(i);
  }
  fs::rename(file(), kept, failed);
  if (failed) {
    standing = Error{
        ErrorCode::state_unwritable, {{"file", file().string()}, {"why", failed.message()}}, {}};
  } else {
    notices.push_back({ErrorCode::state_damaged,
                       {{"file", file().string()}, {"kept", kept.filename().string()}},
                       {}});
  }
}

// What a kill in the middle of a saving left behind.
void StateStore::Disk::sweep() {
  std::error_code ignored;
  const std::string prefix = std::string(".tmp-") + kFile + "-";
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().starts_with(prefix)) left.push_back(entry.path());
  }
  for (const fs::path& path : left) fs::remove(path, ignored);
}

void StateStore::Disk::work() {
  std::unique_lock lock(mutex);
  auto due = Clock::time_point::max();
  std::uint64_t seen = 0;
  while (true) {
    const bool dirty = version != saved && !standing;
    if (dirty && (now || closing || Clock::now() >= due)) {
      save(lock);
      now = false;
      due = failure ? Clock::now() + options.retry : Clock::time_point::max();
      seen = version;
      changed.notify_all();
      if (closing) return;
      continue;
    }
    if (closing) return;
    now = false;
    if (dirty && version != seen) {
      // A change after a failed attempt need not wait out the retry.
      seen = version;
      due = std::min(due, Clock::now() + options.delay);
    }
    if (due == Clock::time_point::max()) {
      changed.wait(lock);
    } else {
      changed.wait_until(lock, due);
    }
  }
}

void StateStore::Disk::save(std::unique_lock<std::mutex>& lock) {
  const std::uint64_t saving = version;
  const std::string text = state_to_json(state);
  lock.unlock();
  const auto written = device::write_file_atomically(file(), text);
  lock.lock();
  ++attempts;
  if (written) {
    saved = saving;
    failure.reset();
    return;
  }
  Error error = written.error();
  error.code = ErrorCode::state_unwritable;
  failure = std::move(error);
}

StateStore::StateStore(fs::path folder, Options options)
    : disk_(std::make_unique<Disk>(std::move(folder), options)) {
  disk_->take_lock();
  if (!disk_->standing) disk_->sweep();
  disk_->read();
  disk_->saver = std::thread([disk = disk_.get()] { disk->work(); });
}

StateStore::~StateStore() {
  {
    const std::lock_guard guard(disk_->mutex);
    disk_->closing = true;
  }
  disk_->changed.notify_all();
  disk_->saver.join();
}

ReaderState StateStore::state() const {
  const std::lock_guard guard(disk_->mutex);
  return disk_->state;
}

void StateStore::change(const std::function<void(ReaderState&)>& edit) {
  {
    const std::lock_guard guard(disk_->mutex);
    ReaderState before = disk_->state;
    edit(disk_->state);
    if (disk_->state == before) return;
    ++disk_->version;
  }
  disk_->changed.notify_all();
}

bool StateStore::flush() {
  std::unique_lock lock(disk_->mutex);
  if (disk_->standing) return false;
  if (disk_->version == disk_->saved) return true;
  const std::uint64_t before = disk_->attempts;
  disk_->now = true;
  disk_->changed.notify_all();
  disk_->changed.wait(lock, [&] { return disk_->attempts != before; });
  return !disk_->failure;
}

bool StateStore::read_only() const {
  const std::lock_guard guard(disk_->mutex);
  return disk_->standing.has_value();
}

std::optional<device::Error> StateStore::trouble() const {
  const std::lock_guard guard(disk_->mutex);
  return disk_->standing ? disk_->standing : disk_->failure;
}

std::vector<device::Error> StateStore::notices() const {
  const std::lock_guard guard(disk_->mutex);
  return disk_->notices;
}

bool StateStore::unsaved() const {
  const std::lock_guard guard(disk_->mutex);
  return disk_->version != disk_->saved;
}

}  // namespace warpbook::lab
