// kill -9 while somebody types: the next start shows all that was typed until a second before, whole, in the chapter's editor,
// in an exercise, on the scratch page and in a program of one's own. WARPBOOK_KILLS=KILLS[:SEED] asks for another number of
// kills, or for those of a failure.
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "device/platform.hpp"
#include "device/sanitized.hpp"
#include "device/unique_fd.hpp"
#include "lessons/catalogue.hpp"
#include "tests/gui/event_order.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui::killed_test {
namespace {
namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

constexpr const char *kChapter = "first-kernel", *kSlot = "add", *kExercise = "saxpy";
constexpr std::array kPlaces{"chapter", "exercise", "scratch page", "program"};

// ---- The one who types --------------------------------------------------------------------------

/// What the typist's process is told, in its environment: where to say what it does, what to begin with, and where all is saved.
constexpr const char *kSaysTo = "WARPBOOK_TYPIST_FD", *kSeed = "WARPBOOK_TYPIST_SEED",
                     *kFolder = "WARPBOOK_TYPIST_FOLDER";

std::string told(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

/// Types in one place after the other, and says so, a line for each event, until it is killed.
class Typist {
 public:
  Typist(int says_to, std::uint32_t seed, const std::string& folder)
      : says_to_(says_to), random_(seed), folder_(folder) {}

  void work() {
    say({{"begun", restored()}, {"wrong", wrong()}, {"files", files()}});
    stage_.act([this](ImGuiTestContext& t) {
      while (true) type_in(t, kPlaces[below(kPlaces.size())]);
    });
  }

 private:
  std::uint32_t below(std::size_t most) { return static_cast<std::uint32_t>(random_() % most); }

  void say(const json& event) const {
    const std::string line = event.dump() + '\n';
    for (std::size_t at = 0; at < line.size();) {
      const ssize_t written = ::write(says_to_, line.data() + at, line.size() - at);
      if (written < 0) ::_exit(3);
      at += static_cast<std::size_t>(written);
    }
  }

  /// What was typed in earlier sittings, by place.
  json restored() {
    const lab::ReaderState state = stage_.session().store().state();
    json texts = json::object();
    const auto slot = [&](const std::string& slug, const std::string& name) {
      const auto chapter = state.chapters.find(slug);
      if (chapter == state.chapters.end()) return std::string();
      const auto source = chapter->second.sources.find(name);
      return source == chapter->second.sources.end() ? std::string() : source->second;
    };
    const lab::Lesson& scratch = lessons::scratch();
    texts["chapter"] = slot(kChapter, kSlot);
    texts["scratch page"] = slot(scratch.slug, scratch.slots.front().name);
    if (const auto exercise = state.exercises.find(kExercise); exercise != state.exercises.end())
      texts["exercise"] = exercise->second.draft;
    texts["program"] = stage_.book().my_program().text();
    return texts;
  }
  /// What the start found wrong with the files of the last sitting.
  json wrong() {
    const lab::StateStore& store = stage_.session().store();
    json said = json::array();
    for (const device::Error& notice : store.notices()) said.push_back(notice.english());
    if (const auto trouble = store.trouble()) said.push_back(trouble->english());
    return said;
  }
  [[nodiscard]] json files() const {
    json names = json::array();
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      if (entry.is_regular_file()) names.push_back(entry.path().filename());
    return names;
  }

  /// The next frame, at a display's pace.
  void tick(ImGuiTestContext& t) {
    constexpr auto kFrame = 16'667us;
    std::this_thread::sleep_until(std::exchange(due_, Clock::now() + kFrame));
    t.Yield();
    say({{"tick", true}});
  }
  void press(ImGuiTestContext& t, ImGuiKeyChord chord) {
    t.KeyPress(chord);
    tick(t);
  }

  void go_to(ImGuiTestContext& t, const std::string& place) {
    Book& book = stage_.book();
    if (place == "program") {
      if (!book.program_open()) press(t, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_R);
    } else if (place == "scratch page") {
      press(t, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_K);
    } else {
      t.ItemClick("**/first-kernel/chapter");
      tick(t);
      stage_.shell().document().go_to_step(place == "exercise" ? "make" : "run");
      while ((book.active_attempt() != nullptr) != (place == "exercise")) tick(t);
    }
    press(t, ImGuiMod_Ctrl | ImGuiKey_E);
    for (int i = 0; i < 4; ++i) tick(t);
  }
  std::string text_at(const std::string& place) {
    Book& book = stage_.book();
    if (place == "program") return book.my_program().text();
    if (place == "exercise") return book.attempt(kExercise)->source();
    return book.source(place == "chapter" ? kSlot : lessons::scratch().slots.front().name);
  }

  /// Begins a line at the head of a text, and writes a comment into it, as fast as one types or faster.
  void type_in(ImGuiTestContext& t, const std::string& place) {
    static constexpr std::array kTyped{"a", "e", "n", "7", " ", "+", "é", "线"};
    go_to(t, place);
    say({{"at", place}, {"text", text_at(place)}});
    press(t, ImGuiMod_Ctrl | ImGuiKey_Home);
    const auto type = [&](const char* text) {
      say({{"typed", text}});
      text == std::string_view("\n") ? t.KeyPress(ImGuiKey_Enter) : t.KeyChars(text);
      for (std::uint32_t pause = 1 + below(6); pause > 0; --pause) tick(t);
    };
    type("/");
    type("/");
    for (std::uint32_t left = 5 + below(40); left > 0; --left) type(kTyped[below(kTyped.size())]);
    type("\n");
    if (below(3) == 0)
      for (std::uint32_t rest = below(60); rest > 0; --rest) tick(t);
  }

  int says_to_;
  std::mt19937 random_;
  fs::path folder_;
  Stage stage_{OpenOptions{kChapter, WARPBOOK_SOURCE_DIR, (folder_ / "state").string()}};
  Clock::time_point due_ = Clock::now();
};

// ---- The one who kills --------------------------------------------------------------------------

/// A process of this program that types.
class Sitting {
 public:
  Sitting(const fs::path& folder, std::uint32_t seed) : log_(folder / "typist.log") {
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    said_ = device::UniqueFd(ends[0]);
    const device::UniqueFd says(ends[1]);
    ::setenv(kSaysTo, std::to_string(says.get()).c_str(), 1);
    ::setenv(kSeed, std::to_string(seed).c_str(), 1);
    ::setenv(kFolder, (folder / "kept").c_str(), 1);
    id_ = ::fork();
    REQUIRE(id_ >= 0);
    if (id_ > 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::fcntl(says.get(), F_SETFD, 0);
    const int log = ::open(log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    ::execl("/proc/self/exe", "test_gui", "types until it is killed", nullptr);
    ::_exit(127);
  }
  ~Sitting() { end(); }
  Sitting(const Sitting&) = delete;
  Sitting& operator=(const Sitting&) = delete;

  /// Listens for so many seconds, or until the first event; false where the process ended by itself.
  bool listen(double seconds, bool until_first = false) {
    const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                          std::chrono::duration<double>(seconds));
    while (!(until_first && heard_.find('\n') != heard_.npos)) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
      if (left <= 0ms) break;
      if (!hear(static_cast<int>(left.count()))) return !ended_;
    }
    return true;
  }
  /// Kills it, and gives all that it said until then. Its workers have ended, too, when this comes back.
  std::vector<json> kill() {
    end();
    while (hear(static_cast<int>(60'000 * device::kSlowdown))) {
    }
    CHECK(ended_);
    std::vector<json> events;
    for (std::size_t at = 0, line = 0; (line = heard_.find('\n', at)) != heard_.npos; at = line + 1)
      events.push_back(json::parse(heard_.substr(at, line - at)));
    return events;
  }
  [[nodiscard]] std::string printed() const { return device::read_file(log_).value_or(""); }

 private:
  void end() {
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    ::waitpid(std::exchange(id_, -1), nullptr, 0);
  }
  /// Waits for more; false where nothing came, or nothing can come any more.
  bool hear(int milliseconds) {
    pollfd ready{said_.get(), POLLIN, 0};
    if (::poll(&ready, 1, milliseconds) <= 0) return false;
    std::array<char, 1 << 16> bytes;
    const ssize_t count = ::read(said_.get(), bytes.data(), bytes.size());
    ended_ = count <= 0;
    if (!ended_) heard_.append(bytes.data(), static_cast<std::size_t>(count));
    return !ended_;
  }

  fs::path log_;
  device::UniqueFd said_;
  pid_t id_ = -1;
  std::string heard_;
  bool ended_ = false;  ///< nobody is left who could say more
};

/// What may be found at a place: its text after each key, oldest first. An empty one means that nothing was saved there.
class History {
 public:
  /// As it was found by a new sitting.
  void begin(std::string text) { texts_ = {{std::move(text), 0}}; }
  /// As the editor shows it when somebody comes to type there.
  void see(const std::string& text) {
    if (original_.empty()) original_ = text;
    CHECK(text == now());
  }
  void type(std::size_t column, const std::string& typed, int tick) {
    std::string text = now();
    texts_.push_back({text.insert(column, typed), tick});
  }
  /// What was typed later may be lost, the rest not.
  void must_have(int tick) {
    while (texts_.size() > 1 && texts_[1].tick <= tick) texts_.erase(texts_.begin());
    for (Typed& typed : texts_) typed.tick = 0;  // the next sitting counts anew
  }
  [[nodiscard]] bool holds(const std::string& text) const {
    return std::ranges::any_of(texts_, [&](const Typed& typed) { return typed.text == text; });
  }
  [[nodiscard]] const std::string& oldest() const { return texts_.front().text; }

 private:
  struct Typed {
    std::string text;
    int tick = 0;  ///< the last one before its key
  };
  [[nodiscard]] const std::string& now() const {
    return texts_.back().text.empty() ? original_ : texts_.back().text;
  }
  std::string original_;
  std::vector<Typed> texts_{{"", 0}};
};

/// For as long as a test: in memory, where there is such a folder, because what a disk does that others keep busy is not the
/// question here.
class FolderInMemory {
 public:
  FolderInMemory() {
    const fs::path memory = "/dev/shm";
    std::string name =
        ((fs::exists(memory) ? memory : fs::temp_directory_path()) / "warpbook-test-XXXXXX")
            .string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  FolderInMemory(const FolderInMemory&) = delete;
  FolderInMemory& operator=(const FolderInMemory&) = delete;
  ~FolderInMemory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The sittings with one folder, each of which is killed and must find what those before it left.
class Reader {
 public:
  /// Takes in what a sitting said until it was killed.
  void take(const std::vector<json>& events) {
    int tick = 0;
    std::string place;
    std::size_t column = 0;
    for (const json& event : events) {
      if (event.contains("begun")) begin(event);
      if (event.contains("tick")) ++tick;
      if (event.contains("at")) {
        place = event["at"].get<std::string>();
        column = 0;
        CAPTURE(place);
        texts_[place].see(event["text"].get<std::string>());
      }
      if (event.contains("typed")) {
        const auto typed = event["typed"].get<std::string>();
        texts_[place].type(std::exchange(column, column + typed.size()), typed, tick);
        ++typed_;
      }
    }
    // A busy machine draws late, so that a second is as many frames as a display shows in one.
    constexpr int kSecond = 60;
    for (auto& [name, history] : texts_) history.must_have(tick - kSecond);
  }
  [[nodiscard]] int typed() const { return typed_; }
  [[nodiscard]] int found() const { return found_; }

 private:
  void begin(const json& event) {
    CHECK(event["wrong"].dump() == "[]");
    for (const json& file : event["files"]) {
      const auto name = file.get<std::string>();
      CAPTURE(name);
      CHECK_FALSE(name.starts_with(".tmp-state.json"));  // what a kill cut off is swept away
      CHECK(name.find(".before") == name.npos);  // a copy of what somebody else wrote: nobody did
      CHECK(name.find(".damaged") == name.npos);
    }
    for (auto& [place, history] : texts_) {
      std::string text = event["begun"].value(place, "");
      CAPTURE(place, text, history.oldest());
      CHECK(history.holds(text));
      found_ += text.empty() ? 0 : 1;
      history.begin(std::move(text));
    }
  }

  std::map<std::string, History> texts_;
  int typed_ = 0, found_ = 0;
};

void type_and_be_killed(const EventOrder& order) {
  const FolderInMemory folder;
  constexpr double kPatience = 60 * device::kSlowdown;
  std::mt19937 random(order.seed);
  std::uniform_real_distribution<double> share(0, 1);
  Reader reader;
  for (std::uint64_t kill = 0; kill <= order.events; ++kill) {
    CAPTURE(order.seed, kill);
    Sitting sitting(folder.path(), static_cast<std::uint32_t>(random()));
    // Most are killed while they type, some while they start; the last only says what it found.
    const bool last = kill == order.events, starting = random() % 5 == 0;
    bool alive = true;
    if (starting && !last) {
      alive = sitting.listen(share(random) * device::kSlowdown);
    } else {
      alive = sitting.listen(kPatience, true) && sitting.listen(last ? 0 : 4 * share(random));
    }
    if (!alive) FAIL("the typist ended by itself: " << sitting.printed());
    reader.take(sitting.kill());
  }
  CHECK(reader.typed() > static_cast<int>(order.events));
  CHECK(reader.found() > 0);
}
}  // namespace

TEST_CASE("types until it is killed", "[.][typist]") {
  if (told(kSaysTo).empty()) SKIP("the other tests of this file start it");
  Typist(std::stoi(told(kSaysTo)), static_cast<std::uint32_t>(std::stoul(told(kSeed))),
         told(kFolder))
      .work();
}

TEST_CASE(
    "kill -9 while somebody types takes no more than the last second, and the next start works",
    "[ci]") {
  type_and_be_killed({5, 1});
}

TEST_CASE("kill -9 at any of many moments takes no more than the last second of typing", "[long]") {
  type_and_be_killed(event_order("WARPBOOK_KILLS", 200));
}

}  // namespace warpbook::gui::killed_test
