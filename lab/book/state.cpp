#include "lab/book/state.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
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

/// Removes the files of a folder whose names begin so and that are older.
void sweep_files(const fs::path& folder, const std::string& prefix, fs::file_time_type older) {
  std::error_code ignored;
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    std::error_code gone;
    const bool begins = entry.path().filename().string().starts_with(prefix);
    if (begins && entry.last_write_time(gone) < older && !gone) left.push_back(entry.path());
  }
  for (const fs::path& path : left) fs::remove(path, ignored);
}

}  // namespace

struct StateStore::Disk {
  Disk(fs::path its_folder, Options its_options)
      : folder(std::move(its_folder)),
        options(std::move(its_options)),
        work(options.work.empty() ? folder / "exercises" : options.work) {}

  const fs::path folder;
  const Options options;
  const WorkFolder work;
  device::UniqueFd lock_file;

  mutable std::mutex mutex;  // guards all below
  std::condition_variable changed;
  ReaderState state;
  std::map<std::string, ExerciseState> on_disk;  // the exercises as the work folder has them
  std::uint64_t version = 0;                     // counts changes
  std::uint64_t saved = 0;                       // the version on the disk
  std::uint64_t attempts = 0;
  bool now = false, closing = false;
  std::optional<Error> standing;  // never saved: another instance, a newer file
  std::optional<Error> failure;   // of the last attempt
  std::vector<Error> notices;

  std::thread saver;  // last: it uses all above

  fs::path file() const { return folder / kFile; }
  void take_lock();
  void read();
  void read_work();
  std::optional<Error> save_work(const std::map<std::string, ExerciseState>& wanted,
                                 std::map<std::string, ExerciseState>& there) const;
  void put_aside();
  void sweep();
  void save_changes();
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

void StateStore::Disk::read_work() {
  for (auto& [name, text] : work.files()) {
    const std::string id = exercise_of_file(name);
    state.exercises[id].file = on_disk[id].file = name;
    state.exercises[id].draft = on_disk[id].draft = text;
  }
  const auto progress = work.progress();
  if (!progress) {
    notices.push_back(progress.error());
    return;
  }
  for (const auto& [id, reached] : *progress) {
    on_disk[id].progress = reached;
    state.exercises[id].progress.merge(reached);
  }
}

/// Writes what differs from what is there; the first thing that cannot be written ends it.
std::optional<Error> StateStore::Disk::save_work(
    const std::map<std::string, ExerciseState>& wanted,
    std::map<std::string, ExerciseState>& there) const {
  Progress reached;
  for (const auto& [id, exercise] : wanted) {
    if (exercise.file.empty()) continue;
    ExerciseState& before = there[id];
    if (!exercise.draft.empty() && exercise.draft != before.draft) {
      if (auto written = work.write(exercise.file, exercise.draft, before.draft); !written)
        return written.error();
      before.draft = exercise.draft;
    }
    if (exercise.progress != before.progress) reached[id] = exercise.progress;
  }
  if (reached.empty()) return {};
  auto written = work.change([&](Progress& progress) {
    for (const auto& [id, mine] : reached) progress[id].merge(mine);
  });
  if (!written) return written.error();
  for (const auto& [id, mine] : reached) there[id].progress = mine;
  return {};
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

// What a kill in the middle of a saving left behind. In the work folder others save, too, so what is younger than a minute
// stays there.
void StateStore::Disk::sweep() {
  const std::string unfinished = ".tmp-";
  sweep_files(folder, unfinished + kFile + "-", fs::file_time_type::max());
  sweep_files(work.folder(), unfinished,
              fs::file_time_type::clock::now() - std::chrono::minutes(1));
}

void StateStore::Disk::save_changes() {
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
  const auto exercises = state.exercises;
  auto there = on_disk;
  lock.unlock();
  std::optional<Error> wrong = save_work(exercises, there);
  if (const auto written = device::write_file_atomically(file(), text); !written && !wrong) {
    wrong = written.error();
    wrong->code = ErrorCode::state_unwritable;
  }
  lock.lock();
  ++attempts;
  on_disk = std::move(there);
  failure = std::move(wrong);
  if (!failure) saved = saving;
}

StateStore::StateStore(fs::path folder, Options options)
    : disk_(std::make_unique<Disk>(std::move(folder), std::move(options))) {
  disk_->take_lock();
  if (!disk_->standing) disk_->sweep();
  disk_->read();
  disk_->read_work();
  disk_->saver = std::thread([disk = disk_.get()] { disk->save_changes(); });
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

std::vector<std::string> StateStore::look_again() {
  const auto files = disk_->work.files();
  const auto progress = disk_->work.progress();
  std::vector<std::string> changed;
  const std::lock_guard guard(disk_->mutex);
  for (const auto& [name, text] : files) {
    const std::string id = exercise_of_file(name);
    ExerciseState &mine = disk_->state.exercises[id], &there = disk_->on_disk[id];
    const bool unsaved = mine.draft != there.draft;
    if (text == there.draft || (unsaved && mine.draft != text)) continue;
    there.draft = text;
    if (mine.draft == text) continue;
    mine.file = there.file = name;
    mine.draft = text;
    changed.push_back(id);
  }
  // One that cannot be read now is left as it is known: whoever edits it sees it in their own editor.
  for (const auto& [id, reached] : progress.value_or(Progress())) {
    disk_->on_disk[id].progress = reached;
    ExerciseProgress merged = disk_->state.exercises[id].progress;
    merged.merge(reached);
    if (merged == disk_->state.exercises[id].progress) continue;
    disk_->state.exercises[id].progress = std::move(merged);
    if (std::ranges::find(changed, id) == changed.end()) changed.push_back(id);
  }
  return changed;
}

const WorkFolder& StateStore::work() const { return disk_->work; }

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
