// kernels/<operation>/: operation.toml says arguments, shapes, tolerances and the cases that every rung is checked at; each
// rung opens with a `//@` block (rung_block.hpp). `run_rung` runs any of them by name, so that lessons, checks, tests and
// benches never say it twice.
//
// operation.toml:
//     tolerance = "bitwise"        of all outputs (tolerance.hpp)
//     exact = false                only where small integers do not give exact results (softmax, tanh); default true
//     ladder = { n = 65536 }       the size that `warpbook ladder` shows
//     large = { n = 33554432 }     if any: a size that fills a GPU and exceeds its L2; only GPUs run it, for their records
//
//     [[parameter]]                once a parameter of the kernel, in its order
//     name = "x"
//     kind = "input"               input, output or scalar
//     type = "f32"
//     shape = ["rows", "columns"]  expressions over the scalars, outermost first; or
//     like = "y"                   type and shape of an earlier parameter
//     range = ["0", "bins - 1"]    of an input: the integers that it is made of (default -8 to 8)
//     edges = [0.0, -0.0, inf]     of a real input: values that it must be right at as well
//     tolerance = "sum"            of this output alone
//     value = "max(0, h - r + 1)"  of a scalar that the host computes from the others; cases do not give it
//
//     [[case]]                     sizes to check at; lists of equal length go together, case by case
//     label = "quick"              quick, ci (default) or long: when the tests run it
//     rows = [1, 31, 33]
//     columns = 129                one value stands for all
//     offset = 1                   elements by which every buffer is shifted, so that vector paths meet odd addresses
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/experiment/lesson.hpp"

namespace warpbook::lab {

/// A rung's launch of one of its kernels.
struct RungLaunch {
  std::string kernel;                  ///< name of the entry; empty: the file's only one
  std::vector<std::string> arguments;  ///< empty: the operation's parameters in their order
  std::string block, grid;             ///< "256" or "16, 16": up to three expressions
  std::string shared;                  ///< bytes of dynamic shared memory; empty: 0
  std::uint32_t line = 0;              ///< of the `//@` block
};

/// Device memory of a rung's own.
struct Workspace {
  std::string name;
  device::ElementType type = device::ElementType::f32;
  std::vector<std::string> shape;
};

/// The `//@` block of a rung. Expressions are integer arithmetic (+ - * / %, ceil_div(a, b), min, max, ceil_log2(a),
/// comparisons, parentheses) over the operation's named arguments, the rung's defines and what its `let` lines name.
struct Rung {
  std::string operation;  ///< folder
  std::string name;       ///< file without number and ending: "guarded"
  int number = 0;
  std::string path;                  ///< below the root
  std::string idea;                  ///< one sentence
  std::vector<RungLaunch> launches;  ///< in order; at least one
  std::vector<Workspace> workspaces;
  std::vector<std::pair<std::string, std::string>> lets;  ///< name and expression
  std::vector<std::string> zero;  ///< buffers set to 0 before the first launch
  /// Constant variables of the file, and the buffers copied into them before the first launch.
  std::vector<std::pair<std::string, std::string>> constants;
  std::vector<std::string> only;  ///< conditions on the sizes, all of them
  int needs = 75;                 ///< compute capability
  int registers = 0, spills = 0;  ///< stated budget a thread; 0 registers: none stated
  std::vector<std::pair<std::string, std::string>> defines;  ///< name and default
  bool float_atomics = false;  ///< sums in no fixed order: two runs may differ
  std::string tolerance;       ///< instead of the operation's; empty: that one
  std::string depth;           ///< additions in a row, at most: of the tolerance "sum"
  std::string bytes, flops;    ///< moved and done by one run, at least
  std::string caught;          ///< of a known-wrong kernel: what must find it
};

/// A size at which rungs are checked.
struct OperationCase {
  enum class Label : std::uint8_t { quick, ci, full } label = Label::ci;
  std::map<std::string, std::int64_t> scalars;
  std::map<std::string, double> real_scalars;
  std::uint64_t offset = 0;  ///< elements by which every buffer is shifted
  /// "rows = 31, columns = 33"
  [[nodiscard]] std::string text() const;
};

struct Operation {
  struct Parameter {
    std::string name;
    enum class Kind : std::uint8_t { scalar, input, output } kind = Kind::scalar;
    device::ElementType type = device::ElementType::f32;
    std::vector<std::string> shape;  ///< expressions over the scalars; of input and output
    std::string lowest = "-8", highest = "8";  ///< integers that an input is made of
    std::vector<double> edges;                 ///< of a real input
    std::string tolerance;                     ///< of an output; empty: the operation's
    std::string value;                         ///< of a computed scalar; empty: it is given
  };
  std::string name;
  std::vector<Parameter> parameters;   ///< in the kernel's order
  std::string tolerance;               ///< "bitwise", "relative 1e-5": tolerance.hpp
  bool exact = true;                   ///< small integers must match bit for bit
  OperationCase ladder;                ///< what `warpbook ladder` shows
  std::optional<OperationCase> large;  ///< fills a GPU and exceeds its L2; timed for the records
  std::vector<OperationCase> cases;
  std::vector<Rung> rungs;  ///< by number
  [[nodiscard]] const Parameter* parameter(std::string_view name) const;
};
/// The folders below kernels/ that hold an operation.toml, by name.
std::vector<std::string> operation_names(const std::string& root);
/// Reads and checks the folder; the error names file and line. An unknown name is answered with those there are.
device::Expected<Operation> load_operation(const std::string& root, std::string_view name);
/// The rungs of a folder below the root, by number.
device::Expected<std::vector<Rung>> load_rungs(const std::string& root, const std::string& folder);
/// Evaluates an expression over names; the error names the position.
device::Expected<std::int64_t> evaluate(std::string_view expression,
                                        const std::map<std::string, std::int64_t>& names);

/// Adds to the scalars those that the operation computes from others; gives what is wrong, or nothing.
std::optional<device::Error> add_values(const Operation& operation,
                                        std::map<std::string, std::int64_t>& scalars);

struct RungArguments {
  std::map<std::string, std::int64_t>
      scalars;                                 ///< without computed ones; also overrides of defines
  std::map<std::string, double> real_scalars;  ///< of f32 and f64 scalars
  std::map<std::string, std::vector<std::byte>>
      inputs;                ///< by name, of the parameter's type and shape
  std::uint64_t offset = 0;  ///< elements by which every buffer is shifted
  /// False leaves outputs and workspaces as allocated, so that initcheck sees who reads them too early.
  bool fill_with_nan = true;
  std::shared_ptr<const device::Module> module;  ///< of compile_rung; null: compiled here
  /// Also how long each launch would take: LaunchRecord::estimate. Where that is all that is asked, of some blocks.
  device::EstimateRequest estimate;
  /// Of each launch, for pictures; counters need none.
  std::uint32_t trace_accesses = device::Observation{}.trace_accesses;
  Checking checking = Checking::whole;  ///< of each launch
  device::Budget budget;                ///< of each launch; what has no bound here has the Lab's
};
struct RungResult {
  std::map<std::string, TensorExhibit> outputs;
  /// One a launch; none of those whose grid was 0, which the host skips.
  std::vector<std::shared_ptr<const device::LaunchRecord>> records;
};

const Rung& rung_named(const Operation& operation, std::string_view name);
/// A rung's expressions have a value for each of these: scalars, defines with what overrides them, block, lets.
std::map<std::string, std::int64_t> names_of(const Rung& rung,
                                             const std::map<std::string, std::int64_t>& scalars);
/// Extents of a parameter. Throws ExperimentFailed where one is negative or too large.
std::vector<std::uint64_t> shape_of(const std::vector<std::string>& shape, device::ElementType type,
                                    const std::map<std::string, std::int64_t>& names,
                                    const std::string& what, const std::string& file);
/// Whether the sizes (of a case, or after add_values) meet the rung's `only`.
bool admits(const Rung& rung, const std::map<std::string, std::int64_t>& scalars);

/// Compiles a rung for the Lab's device, with what `scalars` overrides of its defines. A cubin tells its registers.
/// Throws ExperimentFailed.
std::shared_ptr<const device::Module> compile_rung(
    Lab& lab, const Rung& rung, const std::map<std::string, std::int64_t>& scalars,
    bool cubin = false);
/// Begins to compile it for a compile_rung() that will ask for the same.
void compile_rung_soon(Lab& lab, const Rung& rung,
                       const std::map<std::string, std::int64_t>& scalars, bool cubin = false);
/// Compiles, allocates with canaries, launches and copies back. Outputs and workspaces are filled with NaN bytes first. Throws
/// ExperimentFailed; a damaged canary or a changed input is an error too.
RungResult run_rung(Lab& lab, const Rung& rung, const Operation& operation,
                    const RungArguments& arguments);
RungResult run_rung(Lab& lab, const Operation& operation, std::string_view rung,
                    const RungArguments& arguments);

}  // namespace warpbook::lab
