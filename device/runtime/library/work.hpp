// What a call asks of a stream, as a value: it is done at once, or, where the stream captures, noted for a graph, which has it done
// at each of its launches.
#pragma once

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "device/runtime/library/api.hpp"

namespace warpbook::device::runtime {

struct Graph;
struct GraphMemory;

struct KernelWork {
  const void* function = nullptr;  ///< as the program names it
  LaunchKernel request;            ///< stream and call are filled in when it is done
};
struct CopyWork {
  Transfer transfer;
  std::optional<cudaMemcpy3DParms> parameters;  ///< from which a graph's node was made
};
/// Elements of 1, 2 or 4 bytes; the shape is in bytes.
struct FillWork {
  void* to = nullptr;
  std::uint32_t value = 0, element_bytes = 1;
  Shape shape;
};
struct HostWork {
  cudaHostFn_t function = nullptr;
  void* argument = nullptr;
};
struct RecordWork {
  cudaEvent_t event = nullptr;
};
struct WaitWork {
  cudaEvent_t event = nullptr;
};
struct EmptyWork {};
struct ChildWork {
  std::shared_ptr<Graph> graph;
};
/// A graph allocates its memory, and frees it. The host does both when it queues what uses the memory.
struct AllocationWork {
  std::shared_ptr<GraphMemory> memory;
};
struct FreeingWork {
  std::uint64_t address = 0;
};
using Work = std::variant<KernelWork, CopyWork, FillWork, HostWork, RecordWork, WaitWork, EmptyWork,
                          ChildWork, AllocationWork, FreeingWork>;

/// Does the work now, in the order's stream.
cudaError_t run(Call& call, const KernelWork& work, const Order& order);
cudaError_t run(Call& call, const CopyWork& work, const Order& order);
cudaError_t run(Call& call, const FillWork& work, const Order& order);
cudaError_t run(Call& call, const HostWork& work, const Order& order);
cudaError_t run(Call& call, const RecordWork& work, const Order& order);
cudaError_t run(Call& call, const WaitWork& work, const Order& order);
cudaError_t run(Call& call, const EmptyWork& work, const Order& order);
cudaError_t run(Call& call, const ChildWork& work, const Order& order);
cudaError_t run(Call& call, const AllocationWork& work, const Order& order);
cudaError_t run(Call& call, const FreeingWork& work, const Order& order);
cudaError_t run(Call& call, const Work& work, const Order& order);

/// What a launch is asked for beside its kernel and arguments.
struct LaunchForm {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;
  Dim3 cluster;
};
void set_attributes(LaunchForm& form, const cudaLaunchAttribute* attributes, unsigned count);
/// The kernel, its form and a copy of its arguments.
cudaError_t work_of(Call& call, const void* function, const LaunchForm& form, void** arguments,
                    KernelWork& work);
/// As work_of(), with arguments one by one or, where there is an `extra`, as cuLaunchKernel takes them in one buffer.
cudaError_t work_of(Call& call, const void* function, const LaunchForm& form, void** arguments,
                    void** extra, KernelWork& work);
/// Launches the kernel in the stream of its form.
cudaError_t launch(Call& call, const void* function, const LaunchForm& form, void** arguments,
                   void** extra);

// How parameters become work; what is wrong with them is found here.
cudaError_t work_of(Call& call, const cudaKernelNodeParams& parameters, KernelWork& work);
cudaError_t work_of(Call& call, const Transfer& transfer, CopyWork& work);
cudaError_t work_of(const cudaMemsetParams& parameters, FillWork& work);

/// Has the stream do the work, or notes it where the stream captures. The host does not wait.
cudaError_t submit(Call& call, cudaStream_t stream, Work work);

// Stream capture (captures.cpp). What is not allowed while streams capture answers the documented error, and it invalidates the
// captures that it concerns.

/// Before a call that is "potentially unsafe" (cudaThreadExchangeStreamCaptureMode): it may wait for the device.
cudaError_t check_unsafe();
/// Before a call that works in the default stream and waits for it.
cudaError_t check_synchronous();
/// Before a call that asks or waits for a stream or for the device, or does what no graph has a node for.
cudaError_t check_wait(std::uint32_t stream,
                       cudaError_t where_it_captures = cudaErrorStreamCaptureUnsupported);
cudaError_t check_wait_for_all();
/// Whether work that is given to the stream now would be captured, or would be if its capture were still valid.
bool is_capturing(std::uint32_t stream);
/// Before a call that asks or waits for an event.
cudaError_t check_wait(cudaEvent_t event);
/// Where the stream captures, the event stands for its place in the graph from then on, and `captured` is set.
cudaError_t capture_record(cudaEvent_t event, std::uint32_t stream, bool& captured);
/// Where the event or the stream is part of a capture, the stream's next node comes after the event's.
cudaError_t capture_wait(cudaEvent_t event, std::uint32_t stream, bool is_blocking, bool& captured);
/// An event or stream that goes.
void forget_captured(cudaEvent_t event);
void forget_captured(std::uint32_t stream);

/// Whether the default stream waits for the stream, and it for that.
bool is_blocking(cudaStream_t stream);

}  // namespace warpbook::device::runtime
