// Graphs of work: nodes, and for each those that come before it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device/runtime/library/work.hpp"

namespace warpbook::device::runtime {

/// As cudaGraphNode_t points to it.
struct Node {
  Node(Graph& its_graph, std::uint64_t number, Work its_work);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();

  Graph& graph;
  std::uint64_t id = 0;  ///< in its graph
  Work work;
  std::vector<Node*> from;  ///< what it depends on
  bool enabled = true;      ///< of an executable graph
  const Node* original = nullptr;
  std::vector<void*> arguments;  ///< of a kernel, as cudaGraphKernelNodeGetParams shows them
};

/// As cudaGraph_t points to it.
struct Graph {
  Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph();

  Node* add(Work work, std::vector<Node*> from);

  std::vector<std::unique_ptr<Node>> nodes;
  std::uint64_t last_id = 0;
};

/// A copy, with copies of the graphs inside it; each node knows the one that it was made from.
std::shared_ptr<Graph> clone(const Graph& graph);
/// The nodes such that each comes after those that it depends on; nothing where they depend on each other in a circle.
std::optional<std::vector<Node*>> in_order(const Graph& graph);

/// The graph or node of a handle; null where there is none.
Graph* find(cudaGraph_t graph);
Node* find(cudaGraphNode_t node);
inline cudaGraph_t handle_of(Graph* graph) { return reinterpret_cast<cudaGraph_t>(graph); }
inline cudaGraphNode_t handle_of(Node* node) { return reinterpret_cast<cudaGraphNode_t>(node); }

/// Gives the graph to the program, until cudaGraphDestroy.
cudaGraph_t give_to_program(std::shared_ptr<Graph> graph);

}  // namespace warpbook::device::runtime
