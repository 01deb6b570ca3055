// The kinds of exhibit: plain values, never a drawing. Each has four renderers (panel in gui, text, HTML and JSON in
// lab), visited with no default case, so that a new kind does not compile until it has all four.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "device/launch_record.hpp"
#include "device/program.hpp"
#include "device/sass/sass.hpp"
#include "device/types.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::lab {

/// An array of numbers.
struct TensorExhibit {
  /// What is shown first. Automatic: numbers where they are few, else a plot of a list and a heat map of what has rows.
  enum class View : std::uint8_t { automatic, table, plot, heat, image };
  std::string name;  ///< "out"
  device::ElementType type = device::ElementType::f32;
  std::vector<std::uint64_t> shape;  ///< row-major, outermost first
  std::vector<std::byte> data;       ///< product of shape x size_of(type), little-endian
  std::vector<std::uint64_t> wrong;  ///< linear indices of elements that differ from the truth
  View view = View::automatic;
  friend bool operator==(const TensorExhibit&, const TensorExhibit&) = default;
};
/// Element `index` as a double; exact for types of up to 53 bits.
double element(const TensorExhibit& tensor, std::uint64_t index);
/// Element `index` as text, exact for integers.
std::string element_text(const TensorExhibit& tensor, std::uint64_t index);
/// The same as people read it: typeset().
std::string element_figure(const TensorExhibit& tensor, std::uint64_t index);
/// Elements.
std::uint64_t count(const TensorExhibit& tensor);

/// How a kernel was launched, and how many of its threads had work.
struct GeometryExhibit {
  std::string kernel;
  device::Dim3 grid, block;
  std::uint64_t threads = 0;
  std::uint64_t idle = 0;  ///< threads that stored nothing, from the trace
  bool idle_known = true;  ///< false where the trace was cut
  /// By warp, a block's after another's: the lanes that stored something. Empty where the trace was cut, or of more than
  /// 65,536 warps.
  std::vector<std::uint32_t> stored;
  friend bool operator==(const GeometryExhibit&, const GeometryExhibit&) = default;
};

/// Threads of the block (linear) that stored nothing; none where that is not known.
std::optional<std::uint32_t> idle_in(const GeometryExhibit& geometry, std::uint64_t block);
/// Whether the thread of the block (both linear) stored something; none where that is not known.
std::optional<bool> has_stored(const GeometryExhibit& geometry, std::uint64_t block,
                               std::uint64_t thread);

/// Threads wired to the elements that they touched: drawn from the trace, never from a formula.
struct AccessesExhibit {
  struct Array {
    TensorExhibit tensor;  ///< what it held after the run
    bool written = false;
    friend bool operator==(const Array&, const Array&) = default;
  };
  struct Wire {
    std::uint32_t block = 0, thread = 0;  ///< linear
    std::uint32_t array = 0;              ///< index into arrays
    std::int64_t element = 0;             ///< may lie outside the array: a stray access
    device::AccessKind kind = device::AccessKind::load;
    std::uint32_t line = 0;  ///< of the source
    friend bool operator==(const Wire&, const Wire&) = default;
  };
  device::Dim3 grid, block;
  std::vector<Array> arrays;  ///< inputs first
  std::vector<Wire> wires;    ///< in the order of the trace
  bool cut = false;           ///< more happened than is shown
  friend bool operator==(const AccessesExhibit&, const AccessesExhibit&) = default;
};

/// A picture whose pixels are told apart by who wrote them: from the launch's write map, never from a formula.
struct ImageExhibit {
  enum class By : std::uint8_t { block, warp, thread };
  By by = By::block;  ///< what shares a colour
  device::Dim3 grid, block;
  TensorExhibit pixels;               ///< [height][width] or [depth][height][width], after the run
  std::vector<std::uint32_t> writes;  ///< by pixel
  std::vector<std::int64_t>
      writer;  ///< by pixel, the last one: block x threads-a-block + thread; -1: nobody
  friend bool operator==(const ImageExhibit&, const ImageExhibit&) = default;
};

/// Source with what each line cost, what the compiler said and what the checkers found.
struct SourceExhibit {
  struct Line {
    std::uint32_t line = 0;
    std::uint64_t threads = 0;  ///< lanes that ran it
    device::Counters counters;
    friend bool operator==(const Line&, const Line&) = default;
  };
  /// A line of the PTX that is an instruction.
  struct Instruction {
    std::uint32_t ptx_line = 0;  ///< from 1
    std::uint32_t line = 0;      ///< of the source that it stems from; 0: none of this file
    device::Counters counters;
    friend bool operator==(const Instruction&, const Instruction&) = default;
  };
  struct Mark {
    std::uint32_t line = 0, column = 0;
    device::Severity severity = device::Severity::error;
    Message text;  ///< the compiler's words, or a finding
    friend bool operator==(const Mark&, const Mark&) = default;
  };
  std::string file;  ///< "add.cu"
  std::string slot;  ///< the lesson's source that a reader may edit; empty: shown only
  std::string text;
  std::string ptx;  ///< empty where it did not compile
  std::vector<Line> lines;
  std::vector<Mark> marks;
  std::vector<Instruction> instructions;  ///< of the kernels that ran, by PTX line
  std::optional<device::Sass> sass;       ///< its machine code, where the run was asked for it
  bool settings = false;                  ///< TOML that is read, and never compiled
  friend bool operator==(const SourceExhibit&, const SourceExhibit&) = default;
};

/// Times of variants. One group of bars, one badge: rows with different evidence are never put in one ratio.
struct TimingsExhibit {
  struct Row {
    Message label;
    double seconds = 0;        ///< the median, or the only sample
    double low = 0, high = 0;  ///< p20 and p80, or the estimate's band
    double minimum = 0;
    std::uint32_t samples = 1;
    device::Evidence evidence;
    Message because;  ///< of one launch's estimate: what holds it up; else empty
    friend bool operator==(const Row&, const Row&) = default;
  };
  Message what;  ///< what the times are of: the simulation itself, a kernel
  std::vector<Row> rows;
  friend bool operator==(const TimingsExhibit&, const TimingsExhibit&) = default;
};

/// A list of things that hold or do not.
struct CheckExhibit {
  enum class State : std::uint8_t { passed, failed, warning, waiting };
  struct Mismatch {
    std::uint64_t index = 0;
    std::string expected, got;
    std::string written_by;  ///< "block 0, thread 3"; empty: nobody, or not known
    friend bool operator==(const Mismatch&, const Mismatch&) = default;
  };
  struct Case {
    std::string name;  ///< "n = 33"
    bool passed = false;
    friend bool operator==(const Case&, const Case&) = default;
  };
  struct Item {
    std::string id;  ///< "right", "safe", "written-once": stable, for scripts
    State state = State::waiting;
    Message sentence;        ///< "right at every size"
    Message got;             ///< "7 of 9 sizes"; what was got against what was asked
    Message advice;          ///< the one next thing; empty where it passed
    std::uint32_t line = 0;  ///< of the source, where one spends it
    std::vector<Case> cases;
    std::vector<Mismatch> mismatches;  ///< the first five
    friend bool operator==(const Item&, const Item&) = default;
  };
  std::vector<Item> items;
  [[nodiscard]] bool passed() const;
  friend bool operator==(const CheckExhibit&, const CheckExhibit&) = default;
};

/// Words: printf's output, an explanation, an error.
struct TextExhibit {
  Message text;
  bool code = false;  ///< in the mono face, line breaks kept
  friend bool operator==(const TextExhibit&, const TextExhibit&) = default;
};

/// A GPU's memory spaces and caches: how large each is, how long it lets one wait, and what one launch did there.
struct SpacesExhibit {
  enum class Space : std::uint8_t { registers, local, shared, l1, l2, dram, constant, texture };
  struct Row {
    Space space = Space::registers;
    std::uint64_t bytes =
        0;  ///< of it there are on this GPU, as name_of(space)'s size says; 0: no figure
    double latency = 0;      ///< clocks from asking to having, published by others; 0: no figure
    bool estimated = false;  ///< what follows is the cache model's, not counted
    // What the launch did there; none: not known.
    std::optional<std::uint64_t> requests;  ///< warp instructions; of L1 those to global memory
    std::optional<std::uint64_t> asked;     ///< bytes: lanes x bytes
    std::optional<std::uint64_t> moved;     ///< bytes, in whole sectors
    std::optional<std::uint64_t>
        passes;  ///< of shared memory over its banks, of constant memory one an address
    std::optional<std::uint64_t> stored;  ///< of `moved`, of shared and local memory of `asked`
    friend bool operator==(const Row&, const Row&) = default;
  };
  /// What the picture has boxes for: places on a multiprocessor, L2, and what stands in device memory.
  enum class Box : std::uint8_t {
    registers,
    l1,
    shared,
    constant_cache,
    l2,
    global,
    local,
    texture,
    constant
  };
  /// The way of one value, station by station, as the launch's trace has it.
  struct Station {
    Box box = Box::global;
    Message says;
    Message cost;                                ///< "40 clocks", "1 store"; may be empty
    std::uint32_t line = 0;                      ///< of the source; 0: none
    std::optional<std::uint32_t> block, thread;  ///< who did it, linear
    friend bool operator==(const Station&, const Station&) = default;
  };
  struct Journey {
    std::string name, value;        ///< "x[37]", "-5"
    std::vector<Station> stations;  ///< empty: nobody asked for it
    // Of the value's first place; 0 where the record has no lanes of it (textures).
    std::uint64_t readers = 0;   ///< threads
    std::uint64_t requests = 0;  ///< warp instructions
    std::uint64_t sectors = 0;   ///< of the request that brought it, where sectors are what moves
    friend bool operator==(const Journey&, const Journey&) = default;
  };
  std::string kernel, gpu;
  std::optional<std::uint32_t> registers;      ///< a thread; none: no machine code
  std::optional<std::uint32_t> spilled_bytes;  ///< of local_bytes; none: no machine code
  /// Loads and stores of local memory that stand in the machine code; none: no machine code. The assembler may do without
  /// what PTX declares.
  std::optional<std::uint32_t> machine_local;
  std::uint32_t local_bytes = 0;           ///< a thread, as PTX declares it
  std::uint32_t shared_bytes = 0;          ///< a block
  std::optional<double> l1_hits, l2_hits;  ///< of the sectors that loads asked for: estimated
  std::vector<Row> rows;
  std::optional<Journey> journey;  ///< where there is one, it is what the exhibit is about
  friend bool operator==(const SpacesExhibit&, const SpacesExhibit&) = default;
};

/// Warp-wide accesses to global memory lane by lane, from the launch's trace, and what each access of the source moved in
/// the whole launch, from its counters.
struct SectorsExhibit {
  /// Memory that lanes reached.
  struct Array {
    std::string name;  ///< empty: no allocation that is known
    std::uint64_t bytes = 0;
    std::uint32_t start = 0;  ///< its address modulo 128
    friend bool operator==(const Array&, const Array&) = default;
  };
  /// An access of the source: all instructions that one line became, of one kind and width, to one array.
  struct Place {
    std::uint32_t line = 0;
    std::uint32_t array = 0;  ///< index into arrays
    device::AccessKind kind = device::AccessKind::load;
    std::uint32_t bytes = 0;  ///< of a lane; 0 where the trace ended before
    std::uint64_t requests = 0, sectors = 0, bytes_asked = 0;  ///< at L1
    friend bool operator==(const Place&, const Place&) = default;
  };
  struct Lane {
    std::uint8_t lane = 0;
    std::uint32_t array = 0;   ///< index into arrays
    std::uint64_t offset = 0;  ///< bytes from the array's start; of unknown memory, the address
    friend bool operator==(const Lane&, const Lane&) = default;
  };
  /// One of them by one warp.
  struct Request {
    std::uint32_t place = 0;            ///< index into places
    std::uint32_t block = 0, warp = 0;  ///< linear; the warp in its block
    std::vector<Lane> lanes;
    friend bool operator==(const Request&, const Request&) = default;
  };
  device::Dim3 grid, block;
  std::vector<Array> arrays;
  std::vector<Place> places;
  std::vector<Request> requests;  ///< the first of each place, in the order of the trace
  std::uint32_t chosen = 0;       ///< of requests: what is shown first
  friend bool operator==(const SectorsExhibit&, const SectorsExhibit&) = default;
};

/// What a machine has of what CUDA needs: what compiles, and what kernels run on, the highest part first; and which fit.
struct StackExhibit {
  enum class Side : std::uint8_t { compile, gpu, cpu };  ///< what it is for: to compile, to run
  enum class State : std::uint8_t { here, missing, unusable };
  struct Part {
    std::string id;  ///< "driver"
    Message name;
    Side side = Side::compile;
    State state = State::here;
    std::vector<std::string> found;      ///< version, file, in this order; empty: it is not here
    std::optional<device::Error> error;  ///< why it is not here, or cannot be used
    Message missing;                     ///< the same where no error says it
    std::string remedy;                  ///< the one command that mends it; may be empty
    friend bool operator==(const Part&, const Part&) = default;
  };
  struct Fit {
    std::string part, with;  ///< ids of parts; of two that do not fit, `part` is to be mended
    bool fits = false;
    Message text;
    friend bool operator==(const Fit&, const Fit&) = default;
  };
  std::vector<Part> parts;
  std::vector<Fit> fits;
  bool gpu_usable = false;  ///< kernels run on a GPU of this machine
  std::string when;         ///< it was looked at; ISO 8601, UTC
  friend bool operator==(const StackExhibit&, const StackExhibit&) = default;
};

/// What a curve holds at most: of longer arrays curve_of() keeps what makes up the picture.
inline constexpr std::uint64_t kMostCurvePoints = 32768;

/// Functions of one variable at the points where a kernel computed them, never from a formula.
struct CurveExhibit {
  struct Series {
    Message name;
    TensorExhibit values;                    ///< by point
    std::optional<std::uint32_t> slope;      ///< which of series is its slope
    std::uint64_t nans = 0, infinities = 0;  ///< among all elements whose x is finite
    friend bool operator==(const Series&, const Series&) = default;
  };
  Message variable;                    ///< what x is
  TensorExhibit x;                     ///< by point: ascending, infinities at the ends, NaN last
  std::vector<std::uint64_t> element;  ///< by point: its index in the kernel's arrays
  /// Of these arrays; where there are fewer points, they were chosen so that none of the extremes is missing.
  std::uint64_t elements = 0;
  std::vector<Series> series;
  std::uint64_t chosen = 0;  ///< the point that is shown with its tangent; as many as points: none
  friend bool operator==(const CurveExhibit&, const CurveExhibit&) = default;
};

/// What libraries, and kernels of our own, would run for one problem: what each needs, and how long it takes.
struct AlgorithmsExhibit {
  struct Time {
    double seconds = 0;        ///< the median, or the only sample
    double low = 0, high = 0;  ///< p20 and p80, or the estimate's band
    std::uint32_t samples = 1;
    friend bool operator==(const Time&, const Time&) = default;
  };
  struct Row {
    std::string name;                ///< "engine 38", "brgconv:avx512_core"
    std::string settings;            ///< in the library's own words; may be empty
    std::string origin;              ///< how it came to be listed: "heuristic"; may be empty
    std::uint64_t workspace = 0;     ///< bytes, beside what goes in and comes out
    std::vector<std::string> notes;  ///< in the library's own words: "TENSOR_CORE"
    std::optional<Time> time;        ///< none: it was not timed
    std::optional<double> stopped;   ///< it was not done after so many seconds
    std::optional<double> off;       ///< the largest difference from the truth; none: not known
    friend bool operator==(const Row&, const Row&) = default;
  };
  /// What one library has, or the chapter's own kernels. Groups are never held against each other.
  struct Group {
    Message name;  ///< "cuDNN 9.19.0"
    /// Of its times; of its list where there are none; no badge where a list is the same for every GPU.
    std::optional<device::Evidence> evidence;
    std::string description;     ///< how a GPU that is not here was described to it; may be empty
    std::vector<Row> rows;       ///< in its own order of preference
    std::uint32_t left_out = 0;  ///< of lower precision than was asked for
    std::uint32_t refused = 0;   ///< that do not take this problem on this GPU
    std::uint32_t over_cap = 0;  ///< that need a workspace of more than `cap` bytes
    std::uint64_t cap = 0;
    Message untimed;                     ///< why it has no times
    std::optional<device::Error> error;  ///< why it has no rows, or no times
    friend bool operator==(const Group&, const Group&) = default;
  };
  Message problem;  ///< in words
  std::vector<Group> groups;
  friend bool operator==(const AlgorithmsExhibit&, const AlgorithmsExhibit&) = default;
};

/// Outputs of a convolution over one image, each with what the thread that stored it had read: from the launch's trace,
/// never from the formula. Where the windows should lie, the settings say.
struct SlidingWindowExhibit {
  struct Output {
    std::uint64_t element = 0;  ///< of the output
    double value = 0;           ///< after the run
    bool wrong = false;
    std::uint32_t block = 0, thread = 0;  ///< who stored it; linear
    // What that thread had read since it stored the output before, in its order. Elements; some may lie outside: stray.
    std::vector<std::int64_t> inputs, weights;
    friend bool operator==(const Output&, const Output&) = default;
  };
  TensorExhibit input;    ///< [channels][height][width]; channels_last: [height][width][channels]
  TensorExhibit weights;  ///< [filters][channels][rows][columns], or with the channels last
  bool channels_last = false;
  std::uint64_t filters = 0, out_rows = 0, out_columns = 0;  ///< of the output
  std::uint32_t stride = 1, pad = 0, dilation = 1;
  std::vector<Output> outputs;  ///< those whose stores were seen, by element
  std::uint32_t chosen = 0;     ///< of outputs: what is shown first
  bool cut = false;             ///< more outputs were stored than were seen
  friend bool operator==(const SlidingWindowExhibit&, const SlidingWindowExhibit&) = default;
};

/// Runs in the plane of operations a byte and operations a second, below the roofs of a GPU.
struct RooflineExhibit {
  /// What one part of the GPU does at most, by the GPU table.
  struct Roof {
    std::string part;  ///< "dram", "l2"; "fp32", "fp64", "half", "tensor-half", "tensor-single"
    double rate = 0;   ///< a second: bytes, or floating-point operations
    friend bool operator==(const Roof&, const Roof&) = default;
  };
  struct Point {
    Message name;
    double operations = 0;                  ///< floating-point; a multiply-add counts two
    double dram_bytes = 0, l2_bytes = 0;    ///< moved
    double seconds = 0, low = 0, high = 0;  ///< with the estimate's band
    std::uint32_t ceiling = 0;  ///< index into ceilings: what its operations are held against
    std::string limiter;        ///< "dram": the longest of the estimate's bounds; may be empty
    friend bool operator==(const Point&, const Point&) = default;
  };
  std::string gpu;
  std::vector<Roof> memories;  ///< DRAM first
  std::vector<Roof> ceilings;
  std::vector<Point> points;
  std::uint32_t chosen = 0;  ///< of points: what is shown first
  friend bool operator==(const RooflineExhibit&, const RooflineExhibit&) = default;
};

/// Two runs in relation, A and B: what was set, counted, timed, computed and written in each.
struct ComparisonExhibit {
  struct Side {
    Message name;  ///< "An array of structures"; empty: its letter alone
    std::string device;
    std::uint64_t inputs_hash = 0;
    std::vector<device::Error> errors;
    friend bool operator==(const Side&, const Side&) = default;
  };
  /// What the runs were given that is not the same: a parameter, or "gpu", "device", "seed".
  struct Setting {
    std::string name, a, b;
    friend bool operator==(const Setting&, const Setting&) = default;
  };
  /// The exhibit of both runs that something is from.
  struct Subject {
    std::string id;
    Message title;
    friend bool operator==(const Subject&, const Subject&) = default;
  };
  /// A figure that a run has and that is not 0 in both.
  struct Figure {
    Subject of;
    std::string
        name;     ///< a counter's in JSON, or "blocks", "requests": key comparison.figure.<name>
    Message row;  ///< which of several alike; may be empty
    device::EvidenceKind evidence = device::EvidenceKind::counted;
    std::optional<double> a, b;  ///< none: that run does not have it
    friend bool operator==(const Figure&, const Figure&) = default;
  };
  struct Time {
    struct Span {
      double seconds = 0, low = 0, high = 0;
      std::string on;  ///< the device
      friend bool operator==(const Span&, const Span&) = default;
    };
    Subject of;
    Message row;
    device::EvidenceKind evidence = device::EvidenceKind::measured;  ///< the same of both
    std::optional<Span> a, b;  ///< none: no such time in that run
    friend bool operator==(const Time&, const Time&) = default;
  };
  /// An array that both runs left behind, element by element. Two NaN are the same, and so are 0 and -0.
  struct Output {
    struct Element {
      std::uint64_t index = 0;
      std::string a, b;
      double difference = 0;
      friend bool operator==(const Element&, const Element&) = default;
    };
    Subject of;
    std::string name;
    std::string shape_a, shape_b;  ///< "4 x 4"
    std::uint64_t compared = 0;    ///< elements; 0 also where the shapes differ
    std::uint64_t differing = 0;   ///< of them
    std::uint64_t beyond =
        0;  ///< of these, NaN or infinite in one run: no number says how far apart
    std::optional<Element> absolute;  ///< the greatest difference that is a number
    std::optional<Element> relative;  ///< the same as a share of the larger of the two; 0 to 2
    std::optional<Element> first_beyond;
    friend bool operator==(const Output&, const Output&) = default;
  };
  /// Something that was checked in at least one of the runs.
  struct Check {
    Subject of;
    Message sentence;
    std::optional<CheckExhibit::State> a, b;
    friend bool operator==(const Check&, const Check&) = default;
  };
  /// Words that are not the same.
  struct Words {
    Subject of;
    Message a, b;
    bool code = false;
    friend bool operator==(const Words&, const Words&) = default;
  };
  /// A source whose text or costs are not the same.
  struct Source {
    struct Line {
      enum class Kind : std::uint8_t { same, removed, added, gap };
      Kind kind = Kind::same;
      std::uint32_t a = 0,
                    b = 0;  ///< from 1; 0: not in that run. Of a gap: a lines of both are left out
      std::string text;
      friend bool operator==(const Line&, const Line&) = default;
    };
    Subject of;
    std::uint64_t removed = 0, added = 0;  ///< lines, also where they are not among `lines`
    bool least = true;        ///< false: the texts are too far apart for the fewest changes
    bool cut = false;         ///< not all that differs is among `lines`
    std::vector<Line> lines;  ///< what differs in text or costs, with its neighbours
    std::vector<SourceExhibit::Line> costs_a, costs_b;  ///< of `lines`
    friend bool operator==(const Source&, const Source&) = default;
  };
  /// An exhibit that one run has and the other has not, or has of another kind.
  struct Only {
    Subject of;
    bool in_b = false;
    friend bool operator==(const Only&, const Only&) = default;
  };
  Side a, b;
  std::vector<Setting> settings;
  std::vector<Figure> figures;
  std::vector<Time> times;
  std::vector<Output> outputs;
  std::vector<Check> checks;
  std::vector<Words> words;
  std::vector<Source> sources;
  std::vector<Only> only;
  friend bool operator==(const ComparisonExhibit&, const ComparisonExhibit&) = default;
};

using ExhibitValue =
    std::variant<TensorExhibit, GeometryExhibit, AccessesExhibit, ImageExhibit, SourceExhibit,
                 TimingsExhibit, CheckExhibit, TextExhibit, SpacesExhibit, SectorsExhibit,
                 StackExhibit, CurveExhibit, AlgorithmsExhibit, SlidingWindowExhibit,
                 RooflineExhibit, ComparisonExhibit>;

struct Exhibit {
  std::string id;  ///< unique in its report: "wires"; documents place it by this
  Message title;
  std::optional<device::Evidence> evidence;  ///< the badge; none for what is no figure (text)
  ExhibitValue value;
  friend bool operator==(const Exhibit&, const Exhibit&) = default;
};

/// "tensor", "geometry", "accesses", "image", "source", "timings", "check", "text", "spaces",
/// "sectors", "stack", "curve", "algorithms", "sliding_window", "roofline", "comparison".
std::string_view kind_of(const Exhibit& exhibit);
/// A sentence or two that say what its data shows: caption in the window, alternative text in HTML, first line in the
/// terminal.
std::string sentence(const Exhibit& exhibit, const Strings& strings);
/// Its text is its own sentence: a text that is no code.
bool body_says_it_all(const Exhibit& exhibit);

}  // namespace warpbook::lab
