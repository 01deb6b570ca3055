// A lecture that was prepared beforehand: which screens of a chapter in which order, with which parameters. The file demo.toml:
//
//     chapter = "coalescing"
//
//     [[screen]]
//     question = "structures"        # a question's own screen
//     minutes = 4                    # the countdown begins with so many
//
//     [[screen]]
//     step = "run"                   # a whole step
//     set = { stride = 8 }           # the other parameters are at their defaults
//     note = "Ask who reads what lane 1 leaves."
//
//     [[screen]]
//     exhibit = "map"                # fills the screen; with a question or a step it fills it at first
//     set = { stride = 32 }
//     source = "mine.cu"             # a kernel beside this file, in the chapter's first slot
//     gpu = "T4"
//     reveal = ["further-apart"]     # questions whose answers are shown already
//
// What each screen's run gives is kept in a folder beside the file, so that the class sees it at once, and also where the
// lecture hall's computer cannot run it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "device/compiler/compiler.hpp"
#include "lab/document/document.hpp"
#include "lab/document/teaching_notes.hpp"

namespace warpbook::lab {

struct DemoScreen {
  std::string step, question, exhibit;     ///< at least one of them
  std::map<std::string, std::string> set;  ///< by parameter
  std::string gpu;                         ///< empty: the usual one
  std::string source, source_text;         ///< below the demo's folder; empty: the chapter's own
  std::vector<std::string> reveal;         ///< questions
  std::optional<double> minutes;
  std::string note;        ///< for the lecturer alone
  std::uint32_t line = 0;  ///< of the file
  std::map<std::string, std::uint32_t>
      lines;  ///< by key; the screen's own for what it does not say
};

struct Demo {
  std::string file, chapter;
  std::uint32_t chapter_line = 0;
  std::vector<DemoScreen> screens;
};

/// Reads the file, and the sources that it names. Errors: the file or a source cannot be read; those of TomlReader; a screen that
/// shows nothing, or a step and a question at once; no screen at all.
device::Expected<Demo> load_demo(const std::filesystem::path& file);

/// All names in it that the chapter does not have, and values that a parameter refuses, each with its line. Which exhibits there
/// are, only a run says (demo_trouble).
std::vector<device::Error> validate(const Demo& demo, const Lesson& lesson,
                                    const Document& document);

/// What the screen's run is given. Values that are refused are left at their defaults.
Inputs demo_inputs(const DemoScreen& screen, const Lesson& lesson);

/// "2, further-apart": how a demo's check names screen `index`, counted from 1.
std::string demo_screen_name(const Demo& demo, std::size_t index);
/// The plan that the file's own minutes make, in whole ones; nothing where no screen has any.
std::optional<TeachingPlan> plan_of(const Demo& demo);

// ---- Runs that are kept -------------------------------------------------------------------------

/// A screen's run, and the run that decides its question.
struct DemoRuns {
  std::shared_ptr<const Report> shown, deciding;  ///< null: none
};
/// Runs the screen.
DemoRuns run_demo_screen(const Demo& demo, std::size_t index, const Lesson& lesson,
                         const Document& document,
                         const std::shared_ptr<device::Compiler>& compiler, const std::string& root,
                         const std::stop_token& stop = {});

/// What an instructor has to mend: a screen whose exhibit its run does not show; else the first error of a run that had none when
/// it was kept, because chapters about failures have runs that fail on purpose. Nothing where all is well.
std::optional<device::Error> demo_trouble(const Demo& demo, std::size_t index, const DemoRuns& runs,
                                          const DemoRuns& kept);
/// Where trouble is the chapter's own: at its first check, its own kernel has an error, as that of a chapter about races has on purpose.
bool is_of_chapter(const device::Error& error, const DemoScreen& screen, const DemoRuns& kept);

/// "monday.recorded" beside "monday.toml".
std::filesystem::path recorded_folder(const std::filesystem::path& demo_file);
/// Keeps the runs of a screen in that folder. Error: file_unwritable.
device::Expected<device::Done> keep_demo_runs(const Demo& demo, std::size_t index,
                                              const DemoRuns& runs);
/// What was kept of a screen; null where nothing was, or where the file is damaged or of another version.
DemoRuns kept_demo_runs(const Demo& demo, std::size_t index);

/// A live figure of the chapter that is another one than was kept.
struct ChangedFigure {
  std::string name, before, now;
  friend bool operator==(const ChangedFigure&, const ChangedFigure&) = default;
};
/// Figures and answers, by name; empty where nothing changed, or nothing was kept.
std::vector<ChangedFigure> changed_figures(const Lesson& lesson, const DemoRuns& kept,
                                           const DemoRuns& now);

}  // namespace warpbook::lab
