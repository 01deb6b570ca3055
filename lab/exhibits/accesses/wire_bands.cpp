#include "lab/exhibits/accesses/wire_bands.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "lab/exhibits/tensor/tensor.hpp"
#include "lab/markup/axis.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {
using Face = Letters::Face;

// From the top down: blocks' names, the launch, wires, the elements' numbers, a bar for each array.
constexpr double kNames = 22, kNameMiddle = 8.4, kBarHigh = 24, kWiresHigh = 124, kNumbers = 24,
                 kArrayGap = 6;
constexpr double kLaunchTop = kNames, kWiresTop = kLaunchTop + kBarHigh,
                 kWiresBottom = kWiresTop + kWiresHigh, kArraysTop = kWiresBottom + kNumbers;
constexpr double kRowName = 44, kOutside = 0.1, kApart = 6, kShare = 0.34, kLeastStripe = 3,
                 kLeastCell = 14;  // of an element that is drawn by itself
constexpr double kMostRatio = 8;   // of the numbers of threads and elements that share a scale
constexpr std::size_t kMostStrays = 64, kMostOfOne = 8;  // wires drawn, of all and of one thread
constexpr Dash kReadDashes{4, 4};
constexpr Letters kValue{Face::mono, 13};

std::int64_t longest_array(const AccessesExhibit& accesses) {
  std::uint64_t most = 0;
  for (const auto& array : accesses.arrays) most = std::max(most, count(array.tensor));
  return static_cast<std::int64_t>(most);
}

std::uint64_t threads_of(const AccessesExhibit& accesses) {
  return accesses.grid.count() * std::max<std::uint64_t>(1, accesses.block.count());
}

class BandDrawing {
 public:
  BandDrawing(const AccessesExhibit& accesses, const WireBands& bands, const WireState& state,
              const Canvas& canvas)
      : accesses_(accesses), bands_(bands), plan_(bands.plan), state_(state), canvas_(canvas) {
    drawing_.width = bands.width;
    drawing_.height = bands.height;
    place_launch();
    place_idle();
    place_wires();
    place_numbers();
    for (std::uint32_t a = 0; a < accesses.arrays.size(); ++a) place_array(a);
    place_linked();
  }
  Drawing take() { return std::move(drawing_); }

 private:
  [[nodiscard]] std::uint32_t block_of(std::uint64_t thread) const {
    return static_cast<std::uint32_t>(thread / plan_.threads_a_block);
  }
  [[nodiscard]] bool is_idle(std::uint64_t thread) const {
    return plan_.idle[thread] && !accesses_.cut;
  }

  /// Calls `act(first, last)` for each longest run of [0, size) that `same` holds together.
  template <class Same, class Act>
  static void for_runs(std::uint64_t size, Same same, Act act) {
    for (std::uint64_t first = 0; first < size;) {
      std::uint64_t last = first;
      while (last + 1 < size && same(last, last + 1)) ++last;
      act(first, last);
      first = last + 1;
    }
  }

  // The launch.

  void place_launch() {
    double drawn = -kLeastStripe, named = 0;  // the right ends of what was drawn and named last
    for_runs(
        bands_.threads, [&](auto a, auto b) { return block_of(a) == block_of(b); },
        [&](std::uint64_t first, std::uint64_t last) {
          const double left = bands_.thread_x(static_cast<double>(first)),
                       right = bands_.thread_x(static_cast<double>(last + 1));
          if (right - drawn < kLeastStripe && last + 1 < bands_.threads) return;
          const double gap = right - left > 6 ? 2 : 0;
          drawing_.rectangle({left, kLaunchTop, std::max(1.0, right - left - gap), kBarHigh},
                             Paint(category(block_of(first)), kShare), 2);
          drawn = right;
          name_block(block_of(first), left, right, named);
        });
    drawing_.place(
        {bands_.thread_x(0), kLaunchTop,
         bands_.thread_x(static_cast<double>(bands_.threads)) - bands_.thread_x(0), kBarHigh},
        "thread-bar");
  }

  void name_block(std::uint32_t block, double left, double right, double& named) {
    const Letters letters{Face::sans, 13, true};
    std::string name = canvas_.strings("gui.wires.block", {{"block", std::to_string(block)}});
    if (canvas_.text_width(letters, name) + 8 > right - left) name = std::to_string(block);
    const double wide = canvas_.text_width(letters, name);
    if (left < named || wide + 4 > right - left) return;
    drawing_.text({left, kNameMiddle}, name, letters, category(block));
    named = left + wide + 6;
  }

  /// Idle threads end at a bar, which says how many they are. Where wires of others run below them, because threads and
  /// elements have scales of their own, the launch's bar says it.
  void place_idle() {
    for_runs(
        bands_.threads, [&](auto a, auto b) { return is_idle(a) == is_idle(b); },
        [&](std::uint64_t first, std::uint64_t last) {
          if (!is_idle(first)) return;
          const double left = bands_.thread_x(static_cast<double>(first)),
                       right = bands_.thread_x(static_cast<double>(last + 1)),
                       end = kWiresTop + kWiresHigh / 2;
          const double wide = std::max(1.0, right - left - 1);
          drawing_.rectangle({left, kLaunchTop, wide, kBarHigh}, Role::s4, 2);
          if (bands_.one_scale) {
            drawing_.rectangle({left, kWiresTop + 2, wide, end - kWiresTop - 2},
                               Paint(Role::s4, 0.3));
            drawing_.rectangle({left, end, wide, 3}, Role::t3, 1).id = ItemId{"bar", first};
          }
          const std::string says =
              canvas_.strings("gui.wires.idle", {{"count", grouped(last - first + 1)}});
          const Letters letters{Face::sans, 12.5};
          const double half = canvas_.text_width(letters, says) / 2;
          const double middle =
              std::clamp((left + right) / 2, half, std::max(half, bands_.width - half));
          if (!bands_.one_scale && 2 * half + 8 <= wide)
            drawing_.text({middle, kLaunchTop + kBarHigh / 2}, says, letters, Role::t1,
                          Anchor::middle);
          else if (bands_.one_scale && 2 * half <= wide + 8)
            drawing_.text({middle, end + 14}, says, letters, Role::t3, Anchor::middle);
        });
  }

  // Wires.

  /// Threads whose wires are drawn: far enough from each other to be told apart, and the last that works.
  [[nodiscard]] std::set<std::uint32_t> sampled() const {
    std::set<std::uint32_t> threads;
    double last = -kApart;
    for (const WirePlan::Wire& wire : plan_.wires) {
      const double x = bands_.thread_x(wire.thread);
      if (x - last < kApart) continue;
      threads.insert(wire.thread);
      last = x;
    }
    const auto working = std::ranges::find_if(plan_.wires.rbegin(), plan_.wires.rend(),
                                              [](const auto& wire) { return wire.stores; });
    if (working != plan_.wires.rend()) threads.insert(working->thread);
    return threads;
  }

  void place_wires() {
    const std::set<std::uint32_t> threads = sampled();
    std::size_t strays = 0, of_one = 0;
    std::uint32_t last = 0;
    for (const WirePlan::Wire& wire : plan_.wires) {
      of_one = wire.thread == last ? of_one + 1 : 0;
      last = wire.thread;
      const bool linked = state_.thread == wire.thread, stray = wire.stray && strays < kMostStrays;
      if (linked || (!stray && (!threads.contains(wire.thread) || of_one >= kMostOfOne))) continue;
      strays += wire.stray ? 1 : 0;
      place_wire(wire, false);
    }
    for (const WirePlan::Wire& wire : plan_.wires) {
      if (state_.thread == wire.thread) place_wire(wire, true);
    }
  }

  void place_wire(const WirePlan::Wire& wire, bool linked) {
    const Point begin{thread_middle(wire.thread), kWiresTop + 1},
        end{element_middle(wire.element), kWiresBottom + 2};
    const double lift = (end.y - begin.y) * 0.45;
    const bool on_line =
        state_.line && std::ranges::find(wire.lines, *state_.line) != wire.lines.end();
    Stroke stroke{category(block_of(wire.thread)), linked ? 3.0 : 1.5};
    if (wire.stray)
      stroke.paint = Role::bad;
    else if (linked || on_line)
      stroke.paint = Role::accent;
    if (!wire.stores) stroke.dash = kReadDashes;
    DrawnItem& item = drawing_.curve(
        {begin, Point{begin.x, begin.y + lift}, Point{end.x, end.y - lift}, end}, stroke);
    item.id = ItemId{wire.stray ? "stray" : wire.stores ? "store" : "load", wire.thread};
    item.title = thread_name(canvas_.strings, wire.thread, plan_.threads_a_block) +
                 (wire.stores ? " → " : " ← ") + accesses_.arrays[wire.array].tensor.name + "[" +
                 std::to_string(wire.element) + "]";
  }
  [[nodiscard]] double thread_middle(std::uint32_t thread) const {
    return (bands_.thread_x(thread) + bands_.thread_x(thread + 1.0)) / 2;
  }
  [[nodiscard]] double element_middle(std::int64_t element) const {
    return (bands_.element_x(element) + bands_.element_end(element)) / 2;
  }

  // Arrays.

  void place_numbers() {
    const double middle = kWiresBottom + kNumbers / 2 + 1;
    const Letters letters{Face::mono, 12.5};
    drawing_.text({kRowName - 14, middle}, "i", {Face::mono, 13}, Role::t3, Anchor::right);
    const double widest =
        canvas_.text_width(letters, std::to_string(std::max<std::int64_t>(1, bands_.elements)));
    const auto step = static_cast<std::int64_t>(
        round_step(std::max(1.0, (widest + 24) / std::max(1e-9, element_width()))));
    for (std::int64_t number = 0; number < bands_.elements; number += step) {
      const double x = element_middle(number);
      if (state_.element && std::abs(x - element_middle(*state_.element)) < widest + 6) continue;
      drawing_.text({x, middle}, typeset(std::to_string(number)), letters, Role::t3,
                    Anchor::middle);
    }
    if (!state_.element) return;
    const double half = widest / 2,
                 x = std::clamp(element_middle(*state_.element), half, bands_.width - half);
    drawing_.text({x, middle}, typeset(std::to_string(*state_.element)), {Face::mono, 12.5, true},
                  Role::accent, Anchor::middle);
  }

  [[nodiscard]] double element_width() const { return bands_.element_end(0) - bands_.element_x(0); }
  /// Whether elements are so few that each is drawn by itself.
  [[nodiscard]] bool has_cells() const {
    return bands_.elements > 0 && element_width() >= kLeastCell;
  }
  /// Whether each element's value has room in its cell.
  [[nodiscard]] bool shows_values(const TensorExhibit& tensor) const {
    if (!has_cells()) return false;
    for (std::uint64_t e = 0; e < count(tensor); ++e) {
      if (canvas_.text_width(kValue, element_figure(tensor, e)) + 6 > element_width()) return false;
    }
    return true;
  }

  [[nodiscard]] static double array_top(std::uint32_t array) {
    return kArraysTop + array * (kBarHigh + kArrayGap);
  }

  /// What an element of an array is: the block that wrote it, nobody's, wrong.
  struct Look {
    std::optional<std::uint32_t> block;
    bool unwritten = false, wrong = false;
    friend bool operator==(const Look&, const Look&) = default;
  };
  [[nodiscard]] Look look_of(std::uint32_t a, std::uint64_t element) const {
    const AccessesExhibit::Array& array = accesses_.arrays[a];
    Look look;
    if (const auto writer = plan_.writer_of(a, element)) look.block = block_of(*writer);
    look.unwritten = array.written && !look.block && !accesses_.cut;
    look.wrong = is_wrong(array.tensor, element);
    return look;
  }

  void place_array(std::uint32_t a) {
    const TensorExhibit& tensor = accesses_.arrays[a].tensor;
    const double top = array_top(a);
    drawing_.text({kRowName - 14, top + kBarHigh / 2}, tensor.name, {Face::mono, 14}, Role::t2,
                  Anchor::right);
    const std::uint64_t size = count(tensor);
    double drawn = -kLeastStripe;
    for_runs(
        size, [&](auto x, auto y) { return !has_cells() && look_of(a, x) == look_of(a, y); },
        [&](std::uint64_t first, std::uint64_t last) {
          const Look look = look_of(a, first);
          const double left = bands_.element_x(static_cast<std::int64_t>(first)),
                       right = bands_.element_end(static_cast<std::int64_t>(last));
          // Of many thin stripes some stand for all; what is wrong is always seen.
          if (!look.wrong && right - drawn < kLeastStripe && last + 1 < size) return;
          drawn = right;
          const double gap = has_cells() ? 2 : 0;
          place_run(look,
                    {left, top, std::max(look.wrong ? 2.0 : 1.0, right - left - gap), kBarHigh});
        });
    if (shows_values(tensor)) {
      for (std::uint64_t e = 0; e < size; ++e) {
        drawing_
            .text({element_middle(static_cast<std::int64_t>(e)) - 1, top + kBarHigh / 2},
                  element_figure(tensor, e), kValue, is_wrong(tensor, e) ? Role::s0 : Role::t1,
                  Anchor::middle)
            .id = ItemId{"value", element_number(a, e)};
      }
    }
    if (size > 0) {
      const double left = bands_.element_x(0),
                   right = bands_.element_end(static_cast<std::int64_t>(size) - 1);
      drawing_.place({left, top, right - left, kBarHigh}, "element-bar", a);
    }
    place_outside(a, top);
  }

  void place_run(const Look& look, const Area& at) {
    if (look.unwritten && !look.wrong) {
      drawing_.outline(at, {Role::t4, 1, kFineDashes}, 2).id = ItemId{"unwritten"};
      return;
    }
    const Paint fill = look.wrong   ? Paint(Role::bad)
                       : look.block ? Paint(category(*look.block), kShare)
                                    : Paint(Role::s3);
    drawing_.rectangle(at, fill, 2);
  }

  /// Elements beyond the array's ends that were touched.
  void place_outside(std::uint32_t a, double top) {
    std::set<std::int64_t> touched;
    for (const WirePlan::Wire& wire : plan_.wires) {
      if (wire.stray && wire.array == a) touched.insert(wire.element);
    }
    for (const std::int64_t element : touched) {
      const double left = bands_.element_x(element), right = bands_.element_end(element);
      drawing_.rectangle({left, top, std::max(2.0, right - left - 1), kBarHigh}, Role::bad_tint, 1)
          .id = ItemId{"outside"};
    }
  }

  /// The linked thread and element, which are too thin to be seen among the others.
  void place_linked() {
    const auto mark = [&](double middle, double top, double high, double wide = 8) {
      drawing_.outline({std::round(middle - wide / 2), top - 2, wide, high + 4}, {Role::accent, 2},
                       3);
    };
    if (state_.thread && *state_.thread < bands_.threads)
      mark(thread_middle(*state_.thread), kLaunchTop, kBarHigh);
    if (!state_.element) return;
    const double middle = element_middle(*state_.element);
    for (std::uint32_t a = 0; a < accesses_.arrays.size(); ++a) {
      const TensorExhibit& tensor = accesses_.arrays[a].tensor;
      if (*state_.element < 0 || *state_.element >= static_cast<std::int64_t>(count(tensor)))
        continue;
      mark(middle, array_top(a), kBarHigh, has_cells() ? element_width() : 8);
      if (shows_values(tensor)) continue;
      const std::string value = element_figure(tensor, static_cast<std::uint64_t>(*state_.element));
      const bool fits = middle + 10 + canvas_.text_width(kValue, value) < bands_.width;
      drawing_.text({middle + (fits ? 10 : -10), array_top(a) + kBarHigh / 2}, value, kValue,
                    Role::t1, fits ? Anchor::left : Anchor::right);
    }
  }

  const AccessesExhibit& accesses_;
  const WireBands& bands_;
  const WirePlan& plan_;
  const WireState& state_;
  const Canvas& canvas_;
  Drawing drawing_;
};
}  // namespace

WireBands::WireBands(const AccessesExhibit& accesses, double wide)
    : plan(plan_wires(accesses, 0, 0)),
      threads(threads_of(accesses)),
      elements(longest_array(accesses)),
      width(wide),
      height(kArraysTop + static_cast<double>(accesses.arrays.size()) * (kBarHigh + kArrayGap)) {
  std::set<std::int64_t> outside;
  for (const WirePlan::Wire& wire : plan.wires) {
    if (wire.element < 0 || wire.element >= elements) outside.insert(wire.element);
  }
  for (const std::int64_t element : outside) (element < 0 ? before : after).push_back(element);
  const double room = wide - kRowName, zone = room * kOutside;
  left_ = kRowName + (before.empty() ? 0 : zone);
  right_ = wide - (after.empty() ? 0 : zone);
  const auto many = static_cast<double>(std::max<std::uint64_t>(1, threads)),
             long_as = static_cast<double>(std::max<std::int64_t>(1, elements));
  one_scale = many <= kMostRatio * long_as && long_as <= kMostRatio * many;
  const double shared = (right_ - left_) / std::max(many, long_as);
  per_thread_ = one_scale ? shared : (wide - left_) / many;
  per_element_ = one_scale ? shared : (right_ - left_) / long_as;
}

double WireBands::thread_x(double thread) const { return left_ + thread * per_thread_; }

/// Elements outside have places of one width each, in the order of their numbers.
double WireBands::element_x(std::int64_t element) const {
  constexpr double kGap = 6;
  const auto ranked = [&](const std::vector<std::int64_t>& zone, double from, double to) {
    const auto rank = std::ranges::lower_bound(zone, element) - zone.begin();
    return from + (to - from) * static_cast<double>(rank) / static_cast<double>(zone.size());
  };
  if (element < 0 && !before.empty()) return ranked(before, kRowName, left_ - kGap);
  const double end = left_ + static_cast<double>(elements) * per_element_;
  if (element >= elements && !after.empty()) return ranked(after, end + kGap, width);
  return left_ + static_cast<double>(element) * per_element_;
}

double WireBands::element_end(std::int64_t element) const {
  const bool inside = element >= 0 && element < elements;
  return inside ? element_x(element) + per_element_ : element_x(element + 1);
}

std::uint32_t WireBands::thread_at(double x) const {
  const double most = static_cast<double>(std::max<std::uint64_t>(1, threads)) - 1;
  return static_cast<std::uint32_t>(std::clamp(std::floor((x - left_) / per_thread_), 0.0, most));
}

std::int64_t WireBands::element_at(double x) const {
  const double most = static_cast<double>(std::max<std::int64_t>(1, elements)) - 1;
  return static_cast<std::int64_t>(std::clamp(std::floor((x - left_) / per_element_), 0.0, most));
}

bool has_more_than(const AccessesExhibit& accesses, std::size_t most) {
  return threads_of(accesses) > most || longest_array(accesses) > static_cast<std::int64_t>(most);
}

Drawing drawing_of(const AccessesExhibit& accesses, const WireBands& bands, const WireState& state,
                   const Canvas& canvas) {
  return BandDrawing(accesses, bands, state, canvas).take();
}

}  // namespace warpbook::lab
