// What a chapter is, and what its experiment sees. A lesson's host code reads like a CUDA program: allocate, copy,
// launch, copy back. It never draws.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "device/compiler/compiler.hpp"
#include "device/device.hpp"
#include "lab/model/picture.hpp"
#include "lab/report/report.hpp"

namespace warpbook::lab {

class ProgramsAhead;

/// Ends an experiment; the runner puts the error into the report.
struct ExperimentFailed {
  device::Error error;
  std::vector<device::Diagnostic> diagnostics;
};

/// Ends the experiment if the copy failed.
void wait_for(const device::CopyTicket& ticket);

/// A source that a reader may edit.
struct SourceSlot {
  std::string name;  ///< "add"
  std::string path;  ///< below the root: "kernels/add/01_guarded.cu"
  std::string file;  ///< what diagnostics call it; empty: "<name>.cu"
  bool foreign =
      false;  ///< it takes whole files of the reader's own: their host code and headers are passed over
};

/// A run of many while a slider is dragged. It shows what is ready soon; where it left something out, or showed it coarser, a whole run
/// follows as soon as the slider rests.
struct Draft {
  std::atomic<bool> left_out{false};
};

/// What becomes of the output of printf in a launch.
enum class Printing : std::uint8_t { shown, withheld };

/// What of a launch is checked: what the run's checkers find, or bad accesses alone, which takes a third of the time. That is enough
/// where the same kernel is checked for everything in a smaller launch.
enum class Checking : std::uint8_t { whole, accesses };

/// What an experiment is given. All calls throw ExperimentFailed; none blocks past a cancel.
class Lab {
 public:
  struct Context {
    std::shared_ptr<device::Device> device;
    std::shared_ptr<device::Compiler> compiler;
    const Inputs* inputs = nullptr;
    std::span<const SourceSlot> slots;
    std::string root;
    std::stop_token stop;
    std::function<void(double fraction, const Message& what)> progress;
    std::function<void(std::vector<Exhibit> so_far)> published;
    device::Budget budget;
    device::Checks checks = device::kLessonChecks;
    bool sass = false;                         ///< sources are shown with their machine code
    std::shared_ptr<device::LaunchMemo> memo;  ///< for launch(); null: each is simulated
    Draft* draft = nullptr;                    ///< null: a whole run
    /// As Launch has it: what is checked has to hold on every GPU.
    bool perturb_approximations = false;
  };
  explicit Lab(Context context);
  ~Lab();
  Lab(const Lab&) = delete;
  Lab& operator=(const Lab&) = delete;

  [[nodiscard]] std::int64_t integer(std::string_view parameter) const;
  [[nodiscard]] double real(std::string_view parameter) const;
  [[nodiscard]] const std::string& choice(std::string_view parameter) const;
  [[nodiscard]] bool toggle(std::string_view parameter) const;
  [[nodiscard]] const std::string& text(std::string_view parameter) const;
  /// The reader's picture, as read_picture() gives it. Nothing where none was given; nor where its file cannot be read any
  /// more, and then the report's errors say so.
  std::optional<Picture> picture(std::string_view parameter, PictureColours colours,
                                 std::uint64_t most_side);
  [[nodiscard]] device::Device& device() { return *context_.device; }
  /// As a reader would name it: "H200, simulated".
  [[nodiscard]] Message device_name() const;

  /// The reader's version of a slot, else the original without its leading `//@` block, which is for machines.
  std::string source(std::string_view slot);
  /// Compiles a slot for the device and loads it. Adds a source exhibit (id: the slot's name) also where it fails.
  std::shared_ptr<const device::Module> compile(
      std::string_view slot, std::vector<std::pair<std::string, std::string>> defines = {});
  /// Loads what compile() last made of the slot once more: a module with variables of its own, with the same source exhibit.
  std::shared_ptr<const device::Module> load_again(std::string_view slot);
  /// Compiles any file below the root, or source under a name of its own.
  std::shared_ptr<const device::Module> compile_source(
      const std::string& name, const std::string& source,
      std::vector<std::pair<std::string, std::string>> defines = {});
  /// As compile() and compile_source() ask for it.
  [[nodiscard]] device::CompileRequest request_of(
      const std::string& name, const std::string& source,
      std::vector<std::pair<std::string, std::string>> defines = {}) const;
  device::CompileRequest request_of_slot(
      std::string_view slot, std::vector<std::pair<std::string, std::string>> defines = {});
  /// Begins to compile what will be asked for later, one after the other, while kernels run; not in a draft.
  void compile_soon(device::CompileRequest request);
  /// Compiles, or waits for what compile_soon() began.
  std::shared_ptr<const device::Program> program(const device::CompileRequest& request);

  /// A part of an experiment that uses no buffer, module or source slot of another part.
  using Part = std::function<void(Lab&)>;
  /// Runs parts as one after the other would run: what they show and what fails in them stands in the report in their order, and
  /// after one that throws there are no others. `progress` of a part is from 0 to 1. Each has a simulated GPU of its own, so as many as there are processors run at once, and
  /// its launches do not depend on what the others allocate: a later run recalls those of every part that it leaves as it was. A real GPU
  /// is not shared out: there they do run one after the other.
  void side_by_side(const std::vector<Part>& parts);
  /// A Lab with the same inputs and programs, and with another device.
  std::unique_ptr<Lab> on(std::shared_ptr<device::Device> device);

  device::Buffer allocate(std::string name, device::ElementType type, std::uint64_t count);
  /// Allocates and copies in.
  template <class T>
  device::Buffer upload(const std::string& name, std::span<const T> values) {
    device::Buffer buffer = allocate(name, device::element_type_of<T>::value, values.size());
    copy_in(buffer, std::as_bytes(values));
    return buffer;
  }
  void copy_in(const device::Buffer& buffer, std::span<const std::byte> bytes);
  void fill(const device::Buffer& buffer, std::byte value);
  /// What cudaMemcpyToSymbol does: `bytes` to the front of the module's variable `name`, in constant or global memory.
  void copy_to_symbol(const device::Module& module, std::string_view name,
                      std::span<const std::byte> bytes);
  /// A CUDA array of `description`'s whole extent, filled; freed with the last of its holders.
  std::shared_ptr<const device::Array> array(const device::ArrayDescription& description,
                                             std::span<const std::byte> texels);
  /// A texture object, destroyed with the last of its holders; the memory that it reads must outlive it.
  std::shared_ptr<const device::Texture> texture(const device::TextureDescription& description);
  /// Copies back.
  template <class T>
  std::vector<T> download(const device::Buffer& buffer) {
    std::vector<T> values(buffer.bytes() / sizeof(T));
    copy_out(buffer, std::as_writable_bytes(std::span(values)));
    return values;
  }
  void copy_out(const device::Buffer& buffer, std::span<std::byte> bytes);
  /// The whole buffer as an exhibit's value, shaped.
  TensorExhibit tensor(const device::Buffer& buffer, std::vector<std::uint64_t> shape = {});

  /// Launches, waits and keeps the record. A kernel that failed does not throw: its findings are on the record, its
  /// error in the report, its counters on the source exhibit. What the kernel prints is shown or withheld. Where the launch
  /// itself asks for leaks, those that are all it did wrong are left to the caller.
  std::shared_ptr<const device::LaunchRecord> launch(device::Launch launch,
                                                     Printing printing = Printing::shown,
                                                     Checking checking = Checking::whole);
  /// Adds an error to the report.
  void report_error(device::Error error);

  /// Appends to the report, in order; an id that is there already is replaced.
  void show(Exhibit exhibit);
  void progress(double fraction, const Message& what);
  /// Lets what has been shown so far, in a part by that part alone, be seen while the run goes on.
  void publish();
  [[nodiscard]] bool cancelled() const { return context_.stop.stop_requested(); }
  /// Whether to leave out what takes long, or to show it coarser: true in a draft, which then notes that it is not whole.
  [[nodiscard]] bool leaves_out();
  [[nodiscard]] const Context& context() const { return context_; }

  /// What has been shown and what failed so far.
  Report take_report();

 private:
  struct State;
  struct Compiled {
    std::shared_ptr<const device::Program> program;
    std::shared_ptr<const device::Module> module;
  };
  Compiled compile_and_load(const device::CompileRequest& request);
  /// Adds to what the launches printed.
  void show_output(const std::string& printed, std::uint64_t most_bytes);
  /// The programs of this experiment and of its parts.
  ProgramsAhead& programs();
  /// A Lab for one of the parts.
  [[nodiscard]] std::unique_ptr<Lab> part(
      std::stop_token stop, std::function<void(double fraction, const Message& what)> progress);
  /// What the part has shown and what failed in it, after what there is.
  void take_over(Lab& part);
  [[nodiscard]] const SourceSlot& slot_named(std::string_view slot) const;
  Context context_;
  std::unique_ptr<State> state_;
};

/// Value -> value or throw.
template <class T>
T require(device::Expected<T> expected) {
  if (!expected) throw ExperimentFailed{expected.error(), {}};
  return std::move(*expected);
}

/// A figure that the prose shows live: `=name` in inline code, taken from the report.
struct LiveFigure {
  std::string name;
  std::function<std::string(const Report&)> value;  ///< empty where the report lacks it
};

/// The right choice of a predict question, taken from a report. The value is compared with the choices' values.
struct Answer {
  std::string name;
  std::function<std::string(const Report&)> value;
};

/// A chapter.
struct Lesson {
  std::string slug;  ///< its folder's name
  std::vector<Parameter> parameters;
  std::vector<Preset> presets;
  std::vector<SourceSlot> slots;
  std::function<void(Lab&)> experiment;
  std::vector<LiveFigure> figures;
  std::vector<Answer> answers;
  std::vector<std::string> exercises;  ///< ids, in order
};

/// `inputs` with everything that a run depends on put in: defaults, and the original text of every slot that the reader
/// did not change. Errors: a value out of range, a name that the lesson does not have, a file that is gone.
device::Expected<Inputs> completed(const Lesson& lesson, const Inputs& inputs,
                                   const std::string& root);

/// What a lesson's kernel may use before it is stopped: an endless loop ends within about two seconds.
device::Budget lesson_budget();

/// Checks `inputs` against the lesson, runs the experiment on the calling thread, and reports. Never throws for what a
/// reader did. The report's inputs and hash are the completed ones. `sass`: sources come with their machine code, which may take
/// a third of a second more. `published`: is given what the experiment lets be seen before its end, on
/// the calling thread or on that of the part which lets it be seen. `draft`: null for a whole run. On a GPU, a simulated one runs it as well (beside_gpu.hpp).
Report run(const Lesson& lesson, const Inputs& inputs, std::shared_ptr<device::Compiler> compiler,
           const std::string& root, std::stop_token stop = {},
           std::function<void(double, const Message&)> progress = {},
           const device::Checks& checks = device::kLessonChecks, bool sass = false,
           std::function<void(std::vector<Exhibit>)> published = {}, Draft* draft = nullptr);

}  // namespace warpbook::lab
