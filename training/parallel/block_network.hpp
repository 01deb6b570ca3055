// A network of equal blocks, y = relu(x W1 + b1) W2 + b2, cut up in all three ways at once:
//
//   data      D groups of devices, each with its own rows of the batch
//   pipeline  P stages of each group, each with its own blocks
//   tensor    T devices of each stage, each with its own columns of W1 and b1 and the rows of W2 that belong to them
//
// The device with index t of stage p of group d has the number (d P + p) T + t, so devices that exchange most are neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "training/parallel/all_reduce.hpp"
#include "training/parallel/bucket.hpp"
#include "training/parallel/schedule.hpp"

namespace warpbook::training {

struct Split {
  std::size_t data = 1, tensor = 1, pipeline = 1;
  [[nodiscard]] std::size_t devices() const { return data * tensor * pipeline; }
  [[nodiscard]] std::size_t device(std::size_t group, std::size_t stage, std::size_t slice) const {
    return (group * pipeline + stage) * tensor + slice;
  }
  friend bool operator==(const Split&, const Split&) = default;
};

/// The network, and how many rows a step's batch has.
struct BlockShape {
  std::int64_t blocks = 4, width = 32, hidden = 64, rows = 64;
  /// Numbers in weights and biases.
  [[nodiscard]] std::int64_t parameters() const {
    return blocks * (2 * width * hidden + hidden + width);
  }
};

/// How its devices add up.
enum class Exchange : std::uint8_t { ring, star };
constexpr auto enum_names(Exchange) { return device::checked_names<Exchange>("ring", "star"); }

struct BlockPlan {
  BlockShape shape;
  Split split;
  std::size_t micro_batches = 1;
  Schedule schedule = Schedule::gpipe;
  Exchange exchange = Exchange::ring;
};

/// What copies from device to device were for.
enum class Purpose : std::uint8_t {
  gradients,    ///< of the groups, added up
  sums,         ///< of the slices of a stage: results and gradients of half a block
  activations,  ///< results that go on to the next stage, and their gradients that come back
};
constexpr auto enum_names(Purpose) {
  return device::checked_names<Purpose>("gradients", "sums", "activations");
}

/// The training of such a network on the devices of a cluster. It learns random numbers by heart.
class BlockTraining {
 public:
  BlockTraining(Cluster& cluster, const BlockPlan& plan, std::uint64_t seed);
  ~BlockTraining();
  BlockTraining(const BlockTraining&) = delete;
  BlockTraining& operator=(const BlockTraining&) = delete;

  /// Forward and backward of the whole batch, all micro-batches, and the sums over the groups. Gradients begin anew.
  void compute();
  /// A step of gradient descent on each device.
  void update(double rate);

  /// The mean square error of the batch that compute() saw.
  double loss();
  /// Whole gradients by name, "block0.weights1", put together from the slices of one group.
  std::map<std::string, std::vector<float>> gradients(std::size_t group);
  /// Whether every group has the same gradients, bit for bit.
  bool groups_agree();
  /// Numbers in a device's weights and biases.
  [[nodiscard]] std::int64_t parameters_of(std::size_t device) const;
  /// How many micro-batches a device kept at most between forward and backward.
  [[nodiscard]] std::size_t most_kept(std::size_t device) const;
  /// What compute() copied, by purpose.
  [[nodiscard]] const std::map<Purpose, TrafficMap>& traffic() const { return traffic_; }

 private:
  struct Member;
  /// The members of a stage of a group, by slice.
  using Stage = std::span<const std::unique_ptr<Member>>;

  [[nodiscard]] Stage stage_of(std::size_t group, std::size_t stage) const;
  std::unique_ptr<Member> make_member(std::size_t group, std::size_t stage, std::size_t slice,
                                      std::uint64_t seed);
  void forward(std::size_t group, std::size_t stage, std::size_t micro_batch);
  void backward(std::size_t group, std::size_t stage, std::size_t micro_batch);
  /// The sum of a stage's slices takes the place of each of them.
  void add_slices(Stage stage, const std::vector<Tensor>& parts);
  /// `values` of a stage's slices go to the slices of another one, which find them in `arrived`.
  void send(Stage from, Stage to, std::size_t micro_batch, const std::vector<Tensor>& values);
  void add_groups();
  void add_up(const std::vector<Part>& parts, Purpose purpose);
  void note_traffic(Purpose purpose);

  Cluster& cluster_;
  BlockPlan plan_;
  std::vector<std::unique_ptr<Member>> members_;
  std::map<Purpose, TrafficMap> traffic_;
};

}  // namespace warpbook::training
