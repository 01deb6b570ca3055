// What a reader leaves behind: answers, edits, values, place. Kept as JSON with a schema version; saved in the background
// soon after each change, safe against a kill at any moment; never lost from memory while the book is open.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/book/earlier_runs.hpp"
#include "lab/document/document.hpp"
#include "lab/exercise/work_folder.hpp"

namespace warpbook::lab {

/// How far the reader had read, to come back there exactly.
struct PlaceState {
  int node = -1;          ///< of the document, the first in view; below 0: never left
  double below_top = 0;   ///< of that node's top, below the view's, in points
  double lab_scroll = 0;  ///< in points
  std::string slot;       ///< the source that the editor showed
  friend bool operator==(const PlaceState&, const PlaceState&) = default;
};

/// How the reader had arranged the window. Words that are not known mean the default.
struct DeskState {
  std::string stop;  ///< where the divider rests: "read", "lab", "lab-only"
  std::string list;  ///< of the chapters: "open", "folded"; empty: by the window's width
  double zoom = 1;
  bool ptx = false, sass = false;  ///< shown with the source
  bool held = false;               ///< the lab does not follow the text
  bool lab_tab = false;            ///< of text and lab that take turns, the lab was shown
  bool in_words = false;           ///< exhibits say what they show
  friend bool operator==(const DeskState&, const DeskState&) = default;
};

struct ChapterState {
  AnswersGiven answers;
  std::map<std::string, std::string> sources;  ///< by slot: what the reader made of it
  std::map<std::string, std::string> values;   ///< by parameter, as text
  EarlierRuns runs;                            ///< kernels of theirs that a Pareto chart shows
  std::string step;                            ///< where they were
  PlaceState place;
  friend bool operator==(const ChapterState&, const ChapterState&) = default;
};

struct ExerciseState {
  std::string
      file;  ///< in the work folder, "saxpy.cu"; empty: not known yet, so kept in state.json
  std::string draft;  ///< empty: still the starter, and no file
  ExerciseProgress progress;
  friend bool operator==(const ExerciseState&, const ExerciseState&) = default;
};

struct ReaderState {
  std::string language;  ///< "en", "zh"; empty: the locale's
  std::string theme;     ///< "dark", "light", "contrast"; empty: the default
  std::string motion;    ///< "full", "reduced"; empty: as the desktop wishes
  std::string gpu;       ///< a row of the GPU table; empty: the default
  std::string chapter;   ///< slug of the last one
  std::string program;   ///< the file of the reader's own program; empty: none
  std::string program_arguments;
  bool program_open = false;  ///< its page was shown, not the chapter
  DeskState desk;
  std::map<std::string, ChapterState> chapters;
  std::map<std::string, ExerciseState> exercises;
  friend bool operator==(const ReaderState&, const ReaderState&) = default;
};

/// The state as its file holds it, without the exercises that have files of their own, and back. Errors of reading: state_newer with what could be read all the same (in
/// `partly`), or state_damaged's cause as bad_value.
std::string state_to_json(const ReaderState& state);
device::Expected<ReaderState> state_from_json(const std::string& text, const std::string& file,
                                              ReaderState* partly = nullptr);

/// The state of one state folder, and the exercises of a work folder. Thread-safe; no call waits for the disk but flush() and the destructor.
class StateStore {
 public:
  static constexpr int kVersion = 1;

  struct Options {
    std::chrono::milliseconds delay{400};   ///< from a change to its saving
    std::chrono::milliseconds retry{3000};  ///< after a failed saving
    std::filesystem::path work;  ///< of the exercises' files; empty: exercises/ in the state folder
  };
  /// Takes the folder's lock and reads it. Whatever is wrong with it, a state is there; trouble() says what is wrong.
  explicit StateStore(std::filesystem::path folder) : StateStore(std::move(folder), Options()) {}
  StateStore(std::filesystem::path folder, Options options);
  ~StateStore();  ///< saves what is not saved yet
  StateStore(const StateStore&) = delete;
  StateStore& operator=(const StateStore&) = delete;

  [[nodiscard]] ReaderState state() const;
  /// Changes the state; it is saved soon.
  void change(const std::function<void(ReaderState&)>& edit);
  /// Reads the work folder again: the exercises whose file or progress somebody else changed. What was changed here and is
  /// not saved yet stays; when it is saved, the other's file is kept as a copy.
  std::vector<std::string> look_again();
  [[nodiscard]] const WorkFolder& work() const;
  /// Saves now. False: it could not be, and trouble() says why; it is tried again.
  bool flush();

  /// True where nothing is ever saved: another Warpbook holds the folder, or a newer one wrote it.
  [[nodiscard]] bool read_only() const;
  /// What stands in the way of saving at this moment; nothing where all is well.
  [[nodiscard]] std::optional<device::Error> trouble() const;
  /// What happened on opening that the reader should know once (a damaged file that was put aside).
  [[nodiscard]] std::vector<device::Error> notices() const;
  /// Not all of the state is on the disk.
  [[nodiscard]] bool unsaved() const;

 private:
  struct Disk;
  std::unique_ptr<Disk> disk_;
};

}  // namespace warpbook::lab
