// What a kind of exhibit tells when two of its values are compared: compare(a, b, comparer) of each kind calls these.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "device/types.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::lab {

struct TensorExhibit;
enum class CheckState : std::uint8_t;

/// Takes what two runs have, A's before B's. None: that run does not have it.
class Comparer {
 public:
  struct Time {
    double seconds = 0, low = 0, high = 0;
    Message on;  ///< the device
  };
  virtual ~Comparer() = default;

  /// A figure with its key below comparison.figure. `row` says which of several alike. The evidence is the exhibit's where
  /// none is given.
  virtual void figure(std::string name, std::optional<double> a, std::optional<double> b,
                      Message row = {}, std::optional<device::EvidenceKind> evidence = {}) = 0;
  virtual void time(Message row, device::EvidenceKind evidence, std::optional<Time> a,
                    std::optional<Time> b) = 0;
  /// Arrays that both runs left behind, to be compared element by element.
  virtual void output(const TensorExhibit& a, const TensorExhibit& b) = 0;
  virtual void check(Message sentence, std::optional<CheckState> a,
                     std::optional<CheckState> b) = 0;
  /// Texts that are not the same.
  virtual void words(Message a, Message b, bool code) = 0;
  /// Whether run B shows an array of that name as an exhibit of its own.
  [[nodiscard]] virtual bool shows_tensor(std::string_view name) const = 0;
};

/// Two texts: where they differ, both; and of one sentence's arguments those that are named as counters, as figures.
void compare_texts(const Message& a, const Message& b, bool code, Comparer& comparer);

/// A count as a figure.
inline std::optional<double> figure_of(std::uint64_t count) { return static_cast<double>(count); }
template <class T>
std::optional<double> figure_of(const std::optional<T>& count) {
  return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

}  // namespace warpbook::lab
