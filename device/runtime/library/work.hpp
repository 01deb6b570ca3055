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
using Work = std::variant<KernelWork, CopyWork, FillWork, HostWork, RecordWork, WaitWork, EmptyWork,
                          ChildWork>;

/// Does the work now, in the order's stream.
cudaError_t run(Call& call, const KernelWork& work, const Order& order);
cudaError_t run(Call& call, const CopyWork& work, const Order& order);
cudaError_t run(Call& call, const FillWork& work, const Order& order);
cudaError_t run(Call& call, const HostWork& work, const Order& order);
cudaError_t run(Call& call, const RecordWork& work, const Order& order);
cudaError_t run(Call& call, const WaitWork& work, const Order& order);
cudaError_t run(Call& call, const EmptyWork& work, const Order& order);
cudaError_t run(Call& call, const ChildWork& work, const Order& order);
cudaError_t run(Call& call, const Work& work, const Order& order);

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
