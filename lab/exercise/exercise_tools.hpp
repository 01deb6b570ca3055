// What a check is made of: trials (one case each: what goes in, how the kernel is launched, what must come out) and the
// items that they are judged by. A check reads: make trials, run them, add the items in the order of the gates.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lab/exercise/exercise.hpp"

namespace warpbook::lab {

/// One buffer of a trial. Outputs are compared with their truth; inputs must be unchanged afterwards.
struct TrialArray {
  std::string name;  ///< "y": as findings call it
  device::ElementType type = device::ElementType::f32;
  std::uint64_t count = 0;  ///< elements
  std::vector<std::byte>
      initial;  ///< empty: NaN bytes (0xff) in an output, undefined in a workspace
  bool output = false;
  std::vector<double> truth;  ///< of an output: the float64 loop's result, by element
  /// Of an output: |got - truth| <= tolerance * max(1, |truth|). 0: got == truth, and -0 where the truth is -0.
  double tolerance = 0;
  bool same_bits = false;  ///< an output that is not -0 either where the truth is +0
};
template <class T>
TrialArray input_array(std::string name, const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {std::move(name),
          device::element_type_of<T>::value,
          values.size(),
          {bytes.begin(), bytes.end()},
          false,
          {},
          0};
}
/// An output that the kernel must fill: NaN bytes beforehand.
template <class T>
TrialArray output_array(std::string name, std::vector<double> truth, double tolerance = 0) {
  const std::uint64_t count = truth.size();
  return {std::move(name), device::element_type_of<T>::value, count, {}, true, std::move(truth),
          tolerance};
}
/// An output that the kernel reads first.
template <class T>
TrialArray updated_array(std::string name, const std::vector<T>& values, std::vector<double> truth,
                         double tolerance = 0) {
  TrialArray array = input_array(std::move(name), values);
  array.output = true;
  array.truth = std::move(truth);
  array.tolerance = tolerance;
  return array;
}

/// What kernels leave for each other: undefined beforehand, and never compared.
template <class T>
TrialArray workspace_array(std::string name, std::uint64_t count) {
  return {std::move(name), device::element_type_of<T>::value, count, {}, false, {}, 0};
}

/// An image that the kernel reads through a texture object: points, coordinates in texels.
struct TrialTexture {
  std::string name;
  std::uint32_t width = 0, height = 0;
  std::vector<float> texels;  ///< [height][width]
  device::AddressMode outside = device::AddressMode::clamp;
};

using TrialArguments =
    std::vector<std::variant<std::string, device::Argument>>;  ///< a name, or a scalar

/// A launch after a trial's first, in the same stream.
struct NextLaunch {
  std::string kernel;
  TrialArguments arguments;
  std::vector<std::string> cleared{};  ///< arrays that the host fills with NaN bytes before it
  /// Arrays that the host copies elsewhere before it, so that no saved pointer finds them; the old places hold NaN bytes.
  std::vector<std::string> moved{};
  /// From another instance of the submission: what the launches before it left in variables of the module is not there.
  bool fresh = false;
  /// A kernel of the book, the same after every submission: its errors count, its counters do not. Null: the
  /// submission's own.
  std::shared_ptr<const device::Module> module{};
  std::optional<device::Dim3> grid{}, block{};  ///< where they are not those of the first launch
};

/// One case.
struct Trial {
  std::string name;     ///< "n = 33, block 32"; of a hidden case it is never shown
  bool hidden = false;  ///< drawn for this check: nothing of it is shown but whether it is right
  bool gates = false;   ///< large enough for all gates to be judged at it
  std::vector<std::string> spared{};  ///< but for these
  /// Threads to which the task gives work, where the solution's counters do not tell: of four times as many threads as results, a
  /// quarter. 0: they do tell.
  std::uint64_t workers = 0;
  std::uint64_t schedule =
      0;  ///< other than 0: another legal order of blocks, warps and lanes (Launch::seed)
  std::string
      kernel;  ///< empty: the solution's only one, or if none has its name the submission's only one
  device::Dim3 grid, block;
  std::uint32_t dynamic_shared = 0;  ///< bytes
  std::uint32_t traced = 0;          ///< accesses that the record keeps
  std::vector<TrialArray> arrays;
  TrialArguments arguments;
  std::vector<NextLaunch> next;
  /// Variables of the module, to which the host copies before the first launch, as cudaMemcpyToSymbol does.
  std::vector<TrialArray> symbols;
  std::vector<TrialTexture> textures;
};

struct TrialResult {
  /// Of all launches together; null where the trial had nothing to launch (grid 0).
  std::shared_ptr<const device::LaunchRecord> record;
  std::optional<device::Error> error;     ///< the launch was refused, or ended by its budget
  std::uint64_t compared = 0, wrong = 0;  ///< output elements
  std::vector<CheckExhibit::Mismatch> mismatches;  ///< the first five
  std::string mismatched_array;                    ///< of the first
  CheckExhibit::Spread spread;                     ///< of that array
  std::vector<std::string> changed_inputs;
  bool nearly_right = false;  ///< all wrong elements are off by rounding alone
  bool rescheduled =
      false;             ///< right in the first order, and these are wrong values of another one
  bool skipped = false;  ///< not run, since a case before it did not end
  std::uint32_t line_of_index_in_float = 0;  ///< of a trial with gates (index_in_float.hpp)
  [[nodiscard]] bool right() const { return !error && wrong == 0 && changed_inputs.empty(); }
};

/// Runs one trial with any module of the same signature: the submission, or the reference. Buffers stand between
/// canaries, outputs are filled first, write maps are kept of all outputs and workspaces.
/// `thread_instructions`: its budget; 0: the lab's own.
TrialResult run_trial(Checker& checker, const std::shared_ptr<const device::Module>& module,
                      const Trial& trial, std::uint64_t thread_instructions = 0);

/// The trial with all gates judged at it, shown or hidden; and one that is only hidden.
Trial with_gates(Trial trial);
Trial hidden_with_gates(Trial trial);
Trial hidden(Trial trial);
/// So many elements that they fill `least` to `most` blocks, the last of them perhaps in part.
std::int64_t drawn_elements(Checker& checker, std::int64_t block, std::int64_t least,
                            std::int64_t most);

/// The size of a hidden case with a thread an element.
struct DrawnSize {
  std::int64_t n = 0;
  std::uint32_t block = 0;
};
/// Hundreds of elements, thousands, and some ten thousand, so that whoever does something else from some size on, or below it, is met
/// there.
std::array<DrawnSize, 3> drawn_sizes(Checker& checker);
/// More than 200,000 elements, for Trials::run_unless_decided().
DrawnSize drawn_large_size(Checker& checker);

/// What a gate counts: in a whole launch, and, to find the line that spends most of it, of the counters of one line, or by itself.
struct Spending {
  std::function<double(const device::LaunchRecord&)> in_launch;
  std::function<std::uint64_t(const device::Counters&)> on_line;
  std::function<std::uint32_t(const device::LaunchRecord&)> heaviest_line{};
  /// Whether the lines are those to which a figure that is too large is due, or one that is too small.
  enum class Lines : std::uint8_t { that_spend, that_lack };
  Lines lines = Lines::that_spend;
};
/// A launch spends what its lines spend.
Spending sum_of(std::function<std::uint64_t(const device::Counters&)> on_line);
/// Bytes of shared memory; none of them where the launch has shuffles, since these may hand values on while what is read from shared
/// memory is for show.
Spending shared_bytes_without_shuffles();

/// The trials that a gate is judged at.
enum class Judged : std::uint8_t {
  with_gates,   ///< those with gates
  by_slack,     ///< and small ones, by wider bounds, of which none is shown that holds
  every_trial,  ///< all of them, by the same bounds
};

/// The trials of one check with the submission's and the reference's results.
class Trials {
 public:
  explicit Trials(Checker& checker) : checker_(checker) {}
  /// Runs the submission at once; the reference first, for the budget. Grid 0: nothing is launched, all is right.
  const TrialResult& run(Trial trial);
  /// The same of a large case, unless the check is decided already: by a wrong result, by a finding, or by far more instructions than
  /// the reference's. Such a submission may take long.
  void run_unless_decided(Trial trial);
  [[nodiscard]] std::size_t size() const { return runs_.size(); }
  [[nodiscard]] const Trial& trial(std::size_t i) const { return runs_[i].trial; }
  [[nodiscard]] const TrialResult& submission(std::size_t i) const { return runs_[i].submission; }
  [[nodiscard]] const TrialResult& reference(std::size_t i) const { return runs_[i].reference; }
  /// All trials right: gates mean something.
  [[nodiscard]] bool right() const;

  /// Item "right": how many trials are, a case each, the first wrong one's first five mismatches with who wrote them.
  void add_right(std::string id = "right");
  /// The same where arrays may have any number of elements: no index may be a float, which has no room for one beyond 2^24.
  void add_right_at_any_size(std::string id = "right");
  /// Item "safe": the first finding of any trial, with its line.
  void add_safe(std::string id = "safe");

  // Gates are judged at the trials that have them, and the first that breaks one is named, unless it is hidden. Those that
  // allow one value only, and who writes what, hold at every trial; how work is shared and which bytes move, at every trial of
  // some size, by wider bounds, since edges weigh more there. Before everything is right they wait.

  /// Each element of `array` written exactly once, by the thread whose index it is (linear, x fastest).
  void add_own_element(const std::string& id, const std::string& array);
  /// The same where threads of a grid take turns: by the thread whose index it is modulo the number of threads.
  void add_own_stride(const std::string& id, const std::string& array);
  /// Each element of the arrays written exactly once, by any thread.
  void add_written_once(const std::string& id, const std::vector<std::string>& arrays);
  void add_written_once(const std::string& id, const std::string& array) {
    add_written_once(id, std::vector{array});
  }
  /// The submission is right at `trials`, too, which only this gate is judged by; if not, `advice` says why.
  void add_right_also(const std::string& id, const Message& sentence, const Message& advice,
                      const std::vector<Trial>& trials);
  /// How evenly the threads share the instructions and the elements that they store, and the warps the loads, as a multiple of
  /// the reference's (sharing.hpp; the lowest of the three); floor from the gate.
  void add_shared_out(const std::string& id);
  /// Instructions of all warps as a multiple of the reference's; ceiling from the gate.
  void add_work(const std::string& id);
  /// Any counter as a multiple of the reference's, or as it is: bounds from the gate. `counter` says it in words
  /// (a key of the exercise's strings). Who spends too much is shown the line that spends most. `judged`: where bounds that
  /// allow several values hold at every size, too.
  void add_ratio(const std::string& id, const Message& counter, const Spending& spending,
                 Judged judged = Judged::with_gates);
  void add_counter(const std::string& id, const Message& counter, const Spending& spending,
                   Judged judged = Judged::with_gates);
  /// Where the counter or ratio added last is above its ceiling, or below its floor: what to do about it, instead of the two numbers
  /// alone. It may name {got}, {measured}, {ceiling} or {floor}, and the {line}.
  void advise_above(Message advice);
  void advise_below(Message advice);
  /// How many shuffles warps issue, as a multiple of the solution's; and the result of the last shown trial with gates has to depend on
  /// them: it may not be right, too, where every shuffle leaves each lane its own value (without_shuffles.hpp).
  void add_shuffles(const std::string& id, const Message& counter);
  /// Bytes of global memory asked for, of those in the sectors that were moved at L1: 1 is ideal; floor from the gate.
  void add_bytes_used(const std::string& id);
  /// Sectors moved at L1, as a multiple of the reference's.
  void add_sectors(const std::string& id);
  /// How often each warp waits at a barrier: the fewest and the most of any warp are held against the gate's bounds. Waits while some
  /// threads pass a barrier by, since the others' number of barriers means nothing then.
  void add_barriers(const std::string& id, const Message& counter);
  /// No warp waits at more barriers of its block than the warp of the solution that waits at the most, times the gate's ceiling.
  void add_barriers_as_needed(const std::string& id, const Message& sentence);
  /// How many threads read `input`, as a multiple of those that do so in the solution (readers_of() in sharing.hpp); floor from the
  /// gate. The trials keep a trace that holds all accesses (Trial::traced).
  void add_own_reads(const std::string& id, const std::string& input);
  /// How often a word of `input` is loaded on average, in a trial of one launch that loads nothing else; all words have four
  /// bytes.
  void add_loads_a_word(const std::string& id, const std::string& input);

 private:
  struct Run {
    Trial trial;
    TrialResult submission, reference;
  };
  using Item = CheckExhibit::Item;
  using State = CheckExhibit::State;
  /// The trial's results with both modules.
  Run tried(Trial trial);
  void add(Item item);
  struct Told {
    const Run* run = nullptr;
    const device::Finding* finding = nullptr;
  };
  /// Which finding the student is told. It is the one of `first`, the first case that has any, but where another case that is shown has one
  /// that says more, that one is told instead.
  [[nodiscard]] Told telling(const Run& first) const;
  /// Some threads of a block pass a barrier by, in any case.
  [[nodiscard]] bool has_barriers_of_some() const;
  void add_waiting(const std::string& id, const Message& sentence);
  void advise(Message advice, std::string_view side);
  /// What to do where a kernel ran out of its budget of instructions.
  [[nodiscard]] Message stopped_advice(const Run& run, const Message& name) const;
  void add_owned(const std::string& kind, const std::string& id, const std::string& array);
  /// A gate's item at one trial, and the part of its bound that is spent: the bound breaks above 1.
  struct Judgement {
    Item item;
    double spent = 0;
  };
  /// The item of the first trial that breaks the gate, else of the one that comes closest. `judge_run` is given how many times
  /// wider than the gate's the trial's bounds are.
  void judge(const std::string& id, const Message& sentence, Judged judged,
             const std::function<Judgement(const Run&, double slack)>& judge_run);
  /// The submission's line that a counter is mostly spent on; 0 where none is.
  [[nodiscard]] std::uint32_t heaviest_line(
      const device::LaunchRecord& record,
      const std::function<std::uint64_t(const device::Counters&)>& value) const;
  [[nodiscard]] std::uint32_t heaviest_line(const device::LaunchRecord& record,
                                            const Spending& spending) const;
  /// The bounds allow one value, whatever the size.
  [[nodiscard]] bool holds_everywhere(const std::string& id) const;
  /// `slack`: how many times wider the gate's bounds are.
  [[nodiscard]] Judgement measured_item(const std::string& id, double measured, double reference,
                                        Item item, double slack = 1) const;
  [[nodiscard]] Judgement counter_item(const std::string& id, double got, double reference,
                                       std::uint32_t line, double slack = 1) const;

  Checker& checker_;
  std::vector<Run> runs_;
};

/// Of the accesses of threads to shared and global memory, those to shared memory. An access counts once, however wide it is.
double shared_share_of_accesses(const device::LaunchRecord& record);

/// Bytes that threads load from shared memory; what they store there is not among them.
double shared_bytes_loaded(const device::LaunchRecord& record);

/// What the threads of the launch that the record is of load from global memory; stores and other launches are left out.
std::uint64_t global_bytes_loaded(const device::LaunchRecord& record);

/// The lines with a printf that a thread came to: a message left in while testing is no part of what a kernel does.
std::vector<std::uint32_t> lines_that_print(const device::LaunchRecord& record);
/// The launch's counters without the local memory in which those lines handed their arguments to printf.
device::Counters counters_without_prints(const device::LaunchRecord& record);

/// 0, 1, 31, 32, 33, 127, 129, 192, 1023, 1025 and a prime: the sizes that kernels get wrong, and one that fills blocks of
/// 32, 64 and 96 threads.
std::span<const std::int64_t> telling_sizes();
/// Seeded, neither uniform nor ordered: odd multiples of 1/2 up to 49.5, about half of them negative. None is whole, so that
/// a value cut to an integer shows; the sum of a thousand products of two is exact in float.
std::vector<float> odd_halves(std::size_t count, std::uint64_t seed);
/// The same up to 4095.5: half precision cannot hold most of them.
std::vector<float> wide_halves(std::size_t count, std::uint64_t seed);
/// The same up to 3.5: a hundred products with wide halves are still added up exactly.
std::vector<float> small_halves(std::size_t count, std::uint64_t seed);
/// Seeded normal values.
std::vector<float> normal_values(std::size_t count, std::uint64_t seed);

/// The factors of a product of matrices: a [rows][depth] and b [depth][columns], row-major.
struct Factors {
  std::vector<float> a, b;
};
/// Wide halves on one side, small ones on the other, whichever the seed says: every order of adding up gives the same float, and half
/// precision or TF32 of either side another one.
Factors drawn_factors(std::int64_t rows, std::int64_t columns, std::int64_t depth,
                      std::uint64_t seed);
/// One side has all 24 bits of a float, and the other picks a power of two times one of its elements for each sum. So every sum is exact, and any factor
/// that was rounded on its way shows.
Factors picking_factors(std::int64_t rows, std::int64_t columns, std::int64_t depth,
                        std::uint64_t seed);
/// The truth, in double: c [rows][columns].
std::vector<double> product_of(const Factors& factors, std::int64_t rows, std::int64_t columns,
                               std::int64_t depth);

/// Every 13th value becomes 0, and every 13th -0: they are easily taken for ones that need not be written.
std::vector<float> with_zeros(std::vector<float> values);
/// Every fourth run of so many values becomes 0, so that sums of neighbours are 0 as well.
std::vector<float> with_runs_of_zeros(std::vector<float> values, std::size_t length);

/// The first item of the check that failed and that the exercise has a hint for; null where there is none.
const CheckExhibit::Item* hinted_item(const ExerciseText& text, const Report& report);
/// The hint for that item.
const Hint& hint_for(const ExerciseText& text, const CheckExhibit::Item& item);

/// A hint's text with its {placeholders} filled from the item that failed: its messages' arguments, {line}, {index}
/// {expected} {got} {written_by} of its first mismatch, and {finding}, the report's first error in the language.
std::string fill_hint(const std::string& tier, const CheckExhibit::Item& item, const Report& report,
                      const Strings& strings);

}  // namespace warpbook::lab
