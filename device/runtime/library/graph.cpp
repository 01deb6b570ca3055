#include "device/runtime/library/graph.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "device/runtime/library/graph_memory.hpp"

namespace warpbook::device::runtime {
namespace {

/// What handles of the program may point to.
struct Known {
  std::mutex mutex;
  std::set<const void*> graphs, nodes;
};
Known& known() {
  static auto* const all = new Known;
  return *all;
}

}  // namespace

Node::Node(Graph& its_graph, std::uint64_t number, Work its_work)
    : graph(its_graph), id(number), work(std::move(its_work)) {
  const std::lock_guard lock(known().mutex);
  known().nodes.insert(this);
}

Node::~Node() {
  const std::lock_guard lock(known().mutex);
  known().nodes.erase(this);
}

Graph::Graph() {
  const std::lock_guard lock(known().mutex);
  known().graphs.insert(this);
}

Graph::~Graph() {
  const std::lock_guard lock(known().mutex);
  known().graphs.erase(this);
}

Node* Graph::add(Work work, std::vector<Node*> from) {
  nodes.push_back(std::make_unique<Node>(*this, last_id++, std::move(work)));
  nodes.back()->from = std::move(from);
  return nodes.back().get();
}

Graph* find(cudaGraph_t graph) {
  const std::lock_guard lock(known().mutex);
  return known().graphs.contains(graph) ? reinterpret_cast<Graph*>(graph) : nullptr;
}

Node* find(cudaGraphNode_t node) {
  const std::lock_guard lock(known().mutex);
  return known().nodes.contains(node) ? reinterpret_cast<Node*>(node) : nullptr;
}

std::shared_ptr<Graph> clone(const Graph& graph) {
  auto copy = std::make_shared<Graph>();
  std::map<const Node*, Node*> copies;
  for (const auto& node : graph.nodes) {
    Work work = node->work;
    if (auto* child = std::get_if<ChildWork>(&work)) child->graph = clone(*child->graph);
    Node* const made = copy->add(std::move(work), {});
    made->original = node.get();
    made->enabled = node->enabled;
    copies[node.get()] = made;
  }
  for (const auto& node : graph.nodes)
    for (const Node* from : node->from) copies[node.get()]->from.push_back(copies.at(from));
  return copy;
}

std::optional<std::vector<Node*>> in_order(const Graph& graph) {
  std::map<const Node*, std::size_t> waits_for;
  std::map<const Node*, std::vector<Node*>> after;
  std::vector<Node*> order;
  for (const auto& node : graph.nodes) {
    waits_for[node.get()] = node->from.size();
    for (const Node* from : node->from) after[from].push_back(node.get());
    if (node->from.empty()) order.push_back(node.get());
  }
  for (std::size_t at = 0; at < order.size(); ++at) {
    for (Node* next : after[order[at]])
      if (--waits_for[next] == 0) order.push_back(next);
  }
  if (order.size() != graph.nodes.size()) return std::nullopt;
  return order;
}

cudaError_t run(Call& call, const Work& work, const Order& order) {
  return std::visit([&](const auto& one) { return run(call, one, order); }, work);
}

cudaError_t run(Call&, const EmptyWork&, const Order&) { return cudaSuccess; }

cudaError_t run(Call&, const AllocationWork& work, const Order&) {
  return begin_graph_memory(work.memory);
}

cudaError_t run(Call&, const FreeingWork& work, const Order&) {
  return end_graph_memory(work.address);
}

cudaError_t run(Call& call, const ChildWork& work, const Order& order) {
  const auto nodes = in_order(*work.graph);
  if (!nodes) return cudaErrorInvalidValue;
  bool host_runs = false;
  for (const Node* node : *nodes) {
    if (!node->enabled) continue;
    // A copy reads the program's own memory where it is queued, and a host function may be about to write there.
    if (std::holds_alternative<CopyWork>(node->work) && std::exchange(host_runs, false)) {
      if (const cudaError_t error = call.ask(Synchronise{order.stream})) return error;
    }
    if (const cudaError_t error = run(call, node->work, order)) return error;
    host_runs = host_runs || std::holds_alternative<HostWork>(node->work) ||
                std::holds_alternative<ChildWork>(node->work);
  }
  return cudaSuccess;
}

}  // namespace warpbook::device::runtime
