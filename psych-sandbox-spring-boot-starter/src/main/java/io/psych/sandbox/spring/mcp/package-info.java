/**
 * The tools of MCP servers, called through the MCP client itself: typed results, live
 * lists, names of our own that last, and no person who is asked in the middle of a
 * program. Loaded only where Spring AI's MCP support is on the classpath.
 */
@NullMarked
package io.psych.sandbox.spring.mcp;

import org.jspecify.annotations.NullMarked;
