// Several simulated GPUs. Each of them has a memory of its own, an engine and a queue. What one device is to know of another's
// data has to be copied there, and every such copy is counted by the link that it takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "training/engine.hpp"

namespace warpbook::training {

/// What went from one device to another.
struct Traffic {
  std::uint64_t bytes = 0, copies = 0;
  friend bool operator==(const Traffic&, const Traffic&) = default;
};
/// By sender and receiver.
using TrafficMap = std::map<std::pair<std::size_t, std::size_t>, Traffic>;

class Cluster {
 public:
  /// `devices` simulated GPUs of the Lab's kind, with its compiler, its checks and its budget; the Lab must outlive them.
  Cluster(lab::Lab& lab, std::size_t devices);

  [[nodiscard]] std::size_t size() const { return members_.size(); }
  [[nodiscard]] Engine& engine(std::size_t device) { return *members_[device].engine; }

  /// Copies a tensor that lies side by side into one of the same size on another device. It begins when all that both devices were
  /// asked for before is done. What the receiver is asked for later may begin too early: arrive() comes first.
  void copy(std::size_t sender, const Tensor& from, std::size_t receiver, const Tensor& to);
  /// Waits for all copies. Throws ExperimentFailed.
  void arrive();
  /// Waits for the launches of all devices, and throws as Engine::finish() does.
  void finish();

  /// What was copied since the beginning, or since it was forgotten.
  [[nodiscard]] const TrafficMap& traffic() const { return traffic_; }
  void forget_traffic() { traffic_.clear(); }

 private:
  struct Member {
    std::unique_ptr<lab::Lab> lab;
    std::unique_ptr<Engine> engine;
  };
  std::vector<Member> members_;
  std::vector<device::CopyTicket> under_way_;
  TrafficMap traffic_;
};

/// What a device sends in all.
std::uint64_t bytes_sent(const TrafficMap& traffic, std::size_t device);

}  // namespace warpbook::training
