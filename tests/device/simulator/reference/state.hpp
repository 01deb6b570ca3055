// The state of threads, warps and blocks in the reference interpreter.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "device/launch_record.hpp"
#include "tests/device/simulator/reference/interpreter.hpp"
#include "tests/device/simulator/reference/loops.hpp"
#include "tests/device/simulator/reference/scalar.hpp"

namespace warpbook::device::tests::reference {

/// The program does what the reference cannot follow, or what no good program does.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Parameters live outside of all addresses: each frame has its own, by where they are declared.
using Parameters = std::map<const ptx::Variable*, std::vector<std::uint8_t>>;

struct Frame {
  const ptx::Function* function = nullptr;
  const Loops* loops = nullptr;
  std::uint32_t at = 0, previous = ptx::kNone;  ///< instructions
  std::vector<Wide> registers;
  std::vector<bool> written;  ///< registers that hold something
  Parameters parameters;
  std::uint32_t local_base = 0;
  bool carry = false;
  const ptx::Instruction* call = nullptr;  ///< that made the next frame
  std::uint64_t place = 0;                 ///< tells this activation from all others of the warp
  std::vector<std::uint64_t> turns;        ///< how often each loop has been gone round
};

enum class Status : std::uint8_t { running, at_lanes, at_barrier, done };

/// The thread that accessed a byte last, by plain loads and stores: a thread's number in the grid, and how many
/// barriers its block had passed.
struct Touch {
  std::uint64_t writer = ~std::uint64_t{0}, reader = ~std::uint64_t{0};
  std::uint64_t write_epoch = 0, read_epoch = 0;
};

struct Thread {
  std::uint32_t id = 0;  ///< linear in its block
  std::vector<Frame> frames;
  std::vector<std::uint8_t> local;
  Status status = Status::running;
  std::uint32_t member_mask = 0;
  std::uint64_t steps = 0;
};

/// All lanes of a warp that executed one instruction together.
struct Group {
  const ptx::Instruction* instruction = nullptr;
  std::uint32_t lanes = 0, active = 0;
  std::map<Space, std::map<std::uint32_t, std::uint64_t>> accesses;  ///< lane -> address
  std::uint32_t access_bytes = 0;
  AccessKind kind = AccessKind::load;
};

struct Block {
  Dim3 index;
  std::vector<Thread> threads;
  std::vector<std::uint8_t> shared;
  std::vector<Touch> shared_touches;
  std::uint64_t epoch = 0;  ///< barriers passed
  std::uint64_t first_thread = 0;
  std::vector<std::unordered_map<std::uint64_t, Group>> groups;  ///< by warp
};

// Where the windows of generic addresses lie (docs: "Generic addresses").
inline constexpr std::uint64_t kSharedAt = 0x1'0000'0000, kLocalAt = 0x2'0000'0000,
                               kWindow = 0x1'0000'0000;

}  // namespace warpbook::device::tests::reference
