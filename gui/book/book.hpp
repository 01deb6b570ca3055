// What the window shows, and every way of changing it. Views read it while they draw and post
// changes, which are made between frames.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "device/compiler/compiler.hpp"
#include "device/device.hpp"
#include "gui/book/comparisons.hpp"
#include "gui/book/excerpt.hpp"
#include "gui/book/exercise_attempt.hpp"
#include "gui/book/exports.hpp"
#include "gui/book/link.hpp"
#include "gui/book/side_runs.hpp"
#include "lab/document/document.hpp"
#include "lab/document/glossary.hpp"
#include "lab/experiment/experiment.hpp"

namespace warpbook::gui {

inline constexpr std::chrono::milliseconds kSourceDelay{250}, kValueDelay{60};

/// A line of the chapter list.
struct ChapterEntry {
  std::string slug, title;
};

/// Something to be told in the corner.
struct Toast {
  enum class Kind : std::uint8_t { ok, bad, plain } kind = Kind::plain;
  std::string text;
  std::string action;  ///< label; empty: none
  std::function<void(class Book&)> act;
  double until = 0;  ///< errors stay: infinity
};

/// A run that a directive names: parameters, and a file to put into the first slot.
struct Case {
  std::map<std::string, std::string> values;
  std::string source, source_text;  ///< both empty: the original stands
};
template <class Directive>
Case case_of(const Directive& directive) {
  return {directive.set, directive.source, directive.source_text};
}

/// A run that the reader holds on to while the window is open.
struct KeptRun {
  lab::Inputs inputs;  ///< as the reader had them
  std::shared_ptr<const lab::Report> report;
};

/// What stands on one side of a comparison that the reader makes.
struct CompareSide {
  enum class Kind : std::uint8_t { live, kept, original } kind = Kind::live;
  std::size_t kept = 0;  ///< index into Book::kept_runs(); 0 where the kind is another
  friend bool operator==(const CompareSide&, const CompareSide&) = default;
};

/// Two runs side by side.
struct Compared {
  std::shared_ptr<const lab::Report> a, b;       ///< null: still awaited
  std::string name_a, name_b;                    ///< "n = 8, block = 4"
  std::shared_ptr<const lab::Exhibit> relation;  ///< null: still being made
  bool stale_a = false, stale_b = false;         ///< not of what is written and chosen
  bool stale_relation = false;                   ///< not of these two runs, or of stale ones
  bool follows_inputs = false;                   ///< a side is run anew with what the reader sets
};

class Book {
 public:
  struct Options {
    std::string root;
    lab::Language language = lab::Language::english;
    std::string theme = "dark";
    bool reduced_motion = false;
    std::shared_ptr<device::Compiler> compiler;
    std::function<void()> wake;  ///< called on any thread when there is news
  };
  explicit Book(Options options);
  ~Book();
  Book(const Book&) = delete;
  Book& operator=(const Book&) = delete;

  /// Opens a chapter of the catalogue. Where its text cannot be read, the error stands in
  /// document_error().
  bool open(std::string_view slug);
  /// Opens a lesson with a text that is already there.
  void open(const lab::Lesson& lesson, lab::Document document);
  /// Reads the chapter's text and the strings again; a broken text keeps the last good page.
  void reload();
  /// Takes in what workers have finished. True where something on screen changed.
  bool poll();

  [[nodiscard]] const std::vector<ChapterEntry>& chapters() const { return chapters_; }
  /// The terms of all chapters, in the book's language.
  [[nodiscard]] const lab::Glossary& glossary() const { return glossary_; }
  [[nodiscard]] const lab::Lesson* lesson() const { return lesson_; }
  [[nodiscard]] const lab::Document& document() const { return document_; }
  /// Counts texts shown, so that a view knows when to lay out anew.
  [[nodiscard]] std::uint64_t document_version() const { return document_version_; }
  [[nodiscard]] const std::optional<device::Error>& document_error() const {
    return document_error_;
  }
  /// The lines of its file that the error is about.
  [[nodiscard]] const Excerpt& document_error_excerpt() const { return error_excerpt_; }
  [[nodiscard]] const lab::Strings& strings() const { return *strings_; }
  [[nodiscard]] lab::Language language() const { return options_.language; }
  void set_language(lab::Language language);
  [[nodiscard]] const std::string& theme() const { return options_.theme; }
  void set_theme(std::string theme) {
    options_.theme = std::move(theme);
    ++edits_;
  }
  [[nodiscard]] bool reduced_motion() const { return options_.reduced_motion; }
  void set_reduced_motion(bool reduced) {
    options_.reduced_motion = reduced;
    ++edits_;
  }
  [[nodiscard]] const std::string& root() const { return options_.root; }

  // The live run.
  [[nodiscard]] const lab::Inputs& inputs() const { return inputs_; }
  void set_inputs(lab::Inputs inputs, std::chrono::milliseconds delay = {});
  /// One parameter from text; an error where it is out of range, and then nothing changes.
  device::Expected<device::Done> type_value(std::string_view name, std::string_view text);
  void set_value(const std::string& name, lab::Value value);
  /// A file that was dropped on the window: the chapter's first parameter that is a picture takes it, else the corner says
  /// why not.
  void drop_file(const std::string& path);
  /// Why the last run could not show the reader's picture that stands in this parameter; null where it could.
  [[nodiscard]] const device::Error* picture_error(const lab::Parameter& parameter) const;
  /// Leaves the reader's own pictures where they are.
  void choose_preset(const lab::Preset& preset);
  /// Parameters and, where `source` names a file, the first slot's text: what a directive's button
  /// does. Own pictures that it does not speak of stay.
  void set_case(const Case& wanted);
  [[nodiscard]] lab::Inputs inputs_of(const Case& wanted) const;
  /// The text of a slot as it stands: the reader's, else the original.
  [[nodiscard]] const std::string& source(const std::string& slot) const;
  [[nodiscard]] bool edited(const std::string& slot) const {
    return inputs_.sources.contains(slot);
  }
  void set_source(const std::string& slot, std::string text);
  void reset_source(const std::string& slot);
  void reset_values();
  [[nodiscard]] bool live() const { return live_; }
  void set_live(bool live);
  /// The GPU that the simulator stands for in all runs, checks and comparisons of directives: a row of the GPU table.
  [[nodiscard]] const device::Properties& gpu() const;
  /// Nothing changes where the table does not know the name.
  void set_gpu(std::string_view name);
  void run_now();
  void cancel();
  [[nodiscard]] lab::Experiment::Progress progress() const;
  /// The last finished run; null before the first.
  [[nodiscard]] const std::shared_ptr<const lab::Report>& report() const { return report_; }
  /// What is shown is not of what is written.
  [[nodiscard]] bool stale() const;
  /// Whose results are that are stale: of another GPU, of other values, or of the reader's previous version. Of the check of
  /// the exercise at work, else of the run.
  [[nodiscard]] std::string stale_reason() const;
  [[nodiscard]] std::string stale_reason(const ExerciseAttempt& checked) const;
  void adopt(std::shared_ptr<const lab::Report> report) {
    report_ = std::move(report);
    ++news_;
  }
  /// Waits until all runs have ended, and takes them in.
  void settle();
  /// Whether live runs show sources with their machine code. Where what is shown lacks it, the same inputs run once more.
  void want_sass(bool wanted);
  [[nodiscard]] bool sass_wanted() const { return sass_; }

  // Questions.
  [[nodiscard]] const lab::AnswersGiven& answers() const { return answers_; }
  void set_answers(lab::AnswersGiven answers) { answers_ = std::move(answers); }
  /// Commits an answer (a choice's value; "" for "show me") and shows the run that decides it.
  void answer(const std::string& id, const std::string& value);
  [[nodiscard]] bool answered(const std::string& id) const { return answers_.contains(id); }
  /// What the run that decides a question says; empty until it has run.
  [[nodiscard]] std::optional<std::string> right_value(const lab::PredictDirective& predict) const;
  /// The open question whose answer exhibit or figure `id` ("=name") would give away, as the inputs
  /// stand; else null.
  [[nodiscard]] const lab::PredictDirective* veil(std::string_view id) const;
  /// The report of a directive's run; null until it has run.
  [[nodiscard]] std::shared_ptr<const lab::Report> side_report(const Case& wanted) const;
  /// Counts finished side runs.
  [[nodiscard]] std::uint64_t side_runs_done() const { return side_ ? side_->done() : 0; }
  /// A live figure's text; empty where the report lacks it.
  [[nodiscard]] std::string figure(std::string_view name, const lab::Report* report) const;

  // Comparisons, in book_comparisons.cpp. The lab shows one at a time: the reader's own, else that of the directive that is
  // being read.
  /// The reader holds two runs against each other.
  [[nodiscard]] bool comparing() const { return comparing_; }
  /// A, or B, of that comparison; of the last one while there is none.
  [[nodiscard]] const CompareSide& side(bool of_b) const { return sides_[of_b ? 1 : 0]; }
  /// Of this chapter, the oldest first.
  [[nodiscard]] const std::vector<KeptRun>& kept_runs() const;
  /// The run that is shown becomes A, and B what runs from now on. A run that is still awaited is not kept; the corner says
  /// so.
  void keep_run();
  /// A side that showed it shows the live run, or another one that was kept.
  void forget_run(std::size_t index);
  /// Puts a run on a side; the other side gives its own for it where both would be the same. Nothing that is not there.
  void choose_side(bool of_b, CompareSide side);
  /// A becomes the chapter's own sources with the reader's parameters. Where nothing is edited, the corner says so.
  void compare_with_original();
  /// A and B change places, in the reader's comparison or that of the directive that is shown.
  void swap_sides();
  /// Whether the variants of the directive at that place stand the other way round.
  [[nodiscard]] bool swapped(std::size_t node) const { return swapped_.contains(node); }
  /// Back to the live run alone; a directive's comparison stays away until another one, or none, is read.
  void end_comparison();
  /// Ends what is shown, else shows what was shown last.
  void toggle_comparison();
  /// The directive that is being read; it takes the lab's place.
  void follow_comparison(std::optional<std::size_t> node);
  void show_comparison(std::size_t node);
  /// Puts a directive's comparison away, and what was kept off side B: the reader turned to the live run.
  void turn_to_live_run();
  [[nodiscard]] std::optional<std::size_t> compare_node() const { return compare_node_; }
  /// The reader's own.
  [[nodiscard]] std::optional<Compared> own_comparison() const;
  /// Of the directive at that place of the document; none where there is no such directive.
  [[nodiscard]] std::optional<Compared> comparison_of(std::size_t node) const;
  /// What distinguishes inputs from those that the chapter opens with, the GPU aside.
  [[nodiscard]] std::string run_name(const lab::Inputs& inputs) const;
  /// As veil() above, of other inputs than the live run's.
  [[nodiscard]] const lab::PredictDirective* veil(const lab::Inputs& inputs,
                                                  std::string_view id) const;
  /// An open question that covers anything of a run of these inputs; else null.
  [[nodiscard]] const lab::PredictDirective* open_question(const lab::Inputs& inputs) const;

  // Exercises.
  [[nodiscard]] ExerciseAttempt* attempt(std::string_view id) const;
  /// The exercise that the reader works at; it takes the lab's place. Null: the live run.
  [[nodiscard]] ExerciseAttempt* active_attempt() const { return attempt(active_exercise_); }
  void set_active_exercise(std::string id) { active_exercise_ = std::move(id); }

  void write_exercise(const std::string& id, std::string text);

  /// What the reader wants to take out of the book; done by who owns the clipboard and the screen.
  void want_export(Export wanted) { exports_.push_back(std::move(wanted)); }
  [[nodiscard]] std::vector<Export> take_exports() { return std::exchange(exports_, {}); }

  /// How the reader wants a panel to be: which view, unfolded or not. Below 0: not chosen. `key` begins with the
  /// exhibit's id; the same panel of another variant follows.
  [[nodiscard]] int choice(const std::string& key) const;
  void choose(const std::string& key, int what);
  /// Counts choices, so that a view knows when to lay out anew.
  [[nodiscard]] std::uint64_t choices_made() const { return choices_made_; }

  LinkState link;
  [[nodiscard]] std::vector<Toast>& toasts() { return toasts_; }
  [[nodiscard]] const std::vector<Toast>& toasts() const { return toasts_; }
  void tell(Toast toast);
  /// Counts changes that are worth saving.
  [[nodiscard]] std::uint64_t edits() const { return edits_; }
  /// Counts what workers have brought, so that a view knows when to lay out anew.
  [[nodiscard]] std::uint64_t news() const { return news_; }
  /// Another number whenever reports or the words for them are others than before.
  [[nodiscard]] std::uint64_t shown_version() const;
  [[nodiscard]] double now() const;

 private:
  void start(const lab::Lesson& lesson);
  /// A case as it is shown: with the reader's own pictures, unless it sets them itself.
  [[nodiscard]] lab::Inputs shown_inputs_of(const Case& wanted) const;
  void want_side_runs();
  void want_comparisons();
  void want_own_comparison();
  /// The reader's inputs of a report, whose own are complete: without sources that are the original.
  [[nodiscard]] lab::Inputs inputs_of(const lab::Report& report) const;
  [[nodiscard]] static lab::Inputs original_inputs(const lab::Inputs& of);
  /// Whether that side can be shown: its run was kept, or something is edited.
  [[nodiscard]] bool has_side(const CompareSide& side) const;
  [[nodiscard]] std::shared_ptr<const lab::Report> run_of(const CompareSide& side) const;
  /// The GPU and the name of a side, `live` being the live run's inputs.
  [[nodiscard]] const std::string& gpu_of(const CompareSide& side, const lab::Inputs& live) const;
  [[nodiscard]] std::string name_of(const CompareSide& side, const lab::Inputs& live) const;
  /// Of A and of B: with their GPUs where these are not the same.
  [[nodiscard]] std::array<std::string, 2> names_of_sides(const lab::Inputs& live) const;
  /// A run that is not kept any more is on no side.
  void drop_from_comparison(std::size_t gone);
  void show_sides(CompareSide a, CompareSide b);
  /// What is run for directives and checked runs on the GPU that was chosen.
  void follow_gpu();
  /// A variant's run: on the GPU chosen before while that on this one is awaited.
  [[nodiscard]] std::shared_ptr<const lab::Report> variant_run(
      const lab::CompareDirective::Variant& variant, bool& stale) const;
  /// The original text of a slot, read when first asked for.
  [[nodiscard]] const std::string& original(const lab::SourceSlot& slot) const;
  void reload_sources();
  void request(std::chrono::milliseconds delay);
  /// The inputs are others than before: remembered as an edit, and run where runs follow changes.
  void changed(std::chrono::milliseconds delay);
  void read_chapters();
  /// The page cannot be read anew: the last good one stays.
  void keep_page(const device::Error& error);

  Options options_;
  std::shared_ptr<const lab::Strings> strings_;
  std::vector<ChapterEntry> chapters_;
  lab::Glossary glossary_;
  const lab::Lesson* lesson_ = nullptr;
  lab::Document document_;
  bool document_given_ = false;
  std::uint64_t document_version_ = 0;
  std::optional<device::Error> document_error_;
  Excerpt error_excerpt_;
  lab::Inputs inputs_;
  std::uint64_t inputs_hash_ = 0;  ///< of all that they mean: defaults and original sources put in
  bool live_ = true, sass_ = false;
  std::string followed_gpu_, earlier_gpu_;  ///< that side runs are of, and were of before
  mutable std::map<std::string, std::string> originals_;  ///< by slot, read when first asked for
  std::shared_ptr<const lab::Report> report_;
  std::uint64_t generation_ = 0;
  lab::AnswersGiven answers_;
  std::map<std::string, std::unique_ptr<ExerciseAttempt>, std::less<>> attempts_;
  std::string active_exercise_;
  std::vector<Toast> toasts_;
  std::vector<Export> exports_;
  std::map<std::string, int> choices_;
  std::uint64_t choices_made_ = 0;
  std::uint64_t edits_ = 0, news_ = 0;
  std::map<std::string, std::vector<KeptRun>, std::less<>> kept_;  ///< by chapter
  bool comparing_ = false;
  std::array<CompareSide, 2> sides_;                   ///< A and B
  std::shared_ptr<const lab::Report> original_shown_;  ///< until the next one has run
  std::set<std::size_t> swapped_;                      ///< directives
  std::optional<std::size_t> compare_node_;
  std::optional<std::size_t> ended_node_;  ///< a directive whose comparison the reader put away
  std::uint64_t side_seen_ = 0, compared_seen_ = 0;
  std::unique_ptr<Comparisons> comparisons_;
  std::unique_ptr<SideRuns> side_, original_runs_;
  std::unique_ptr<lab::Experiment> experiment_;
};

}  // namespace warpbook::gui
